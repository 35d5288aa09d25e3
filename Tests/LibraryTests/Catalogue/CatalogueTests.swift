import Formats
import Glibc
import Runtime
import Store
import TestSupport
import Testing

@testable import Library

@Suite("Catalogue")
struct CatalogueTests {
  private let folder = TempFolder()
  private let catalogue: Catalogue

  init() throws {
    let loop = try EventLoop("store")
    try loop.start()
    catalogue = Catalogue(in: folder.path, on: loop)
  }

  private func open(afterUncleanStop: Bool = false) async throws -> [Notice] {
    try await catalogue.open(afterUncleanStop: afterUncleanStop, today: "2026-11-21")
  }

  private func file(_ name: [UInt8] = Array("a.flac".utf8), _ bytes: [UInt8] = [1, 2, 3]) throws -> FilePath {
    let path = try #require(FilePath(bytes: folder.path.bytes + [0x2F] + name))
    try AtomicFile.replace(path, with: bytes)
    return path
  }

  private func track(_ path: FilePath, _ title: String = "Air") -> Track {
    var track = Track(named: path)
    (track.title, track.artist, track.album, track.number) = (title, "Bach", "Suites", 3)
    (track.rate, track.bits, track.frames) = (44_100, 16, 44_100 * 245)
    return track
  }

  @Test("what was learned is known, after a restart too")
  func learned() async throws {
    #expect(try await open().isEmpty)
    let path = try file()
    #expect(try await catalogue.track(at: path) == nil)
    try await catalogue.learn(track(path), at: path, today: 7)
    #expect(try await catalogue.track(at: path) == track(path))
    await catalogue.close()
    #expect(try await catalogue.track(at: path) == nil)
    _ = try await open(afterUncleanStop: true)
    #expect(try await catalogue.track(at: path) == track(path))
  }

  @Test("what a file does not say stays unsaid, and a name that is not UTF-8 is its own")
  func sparse() async throws {
    _ = try await open()
    for name: [UInt8] in [[0xFF, 0x2E, 0x61], [0xFE, 0x2E, 0x61]] {
      let path = try file(name)
      let bare = Track(named: path)
      try await catalogue.learn(bare, at: path, today: 7)
      #expect(try await catalogue.track(at: path) == bare)
    }
  }

  @Test("a file that has changed is not known until it is learned again")
  func changed() async throws {
    _ = try await open()
    let path = try file()
    try await catalogue.learn(track(path), at: path, today: 7)
    // Another size.
    _ = try file(Array("a.flac".utf8), [1, 2, 3, 4])
    #expect(try await catalogue.track(at: path) == nil)
    try await catalogue.learn(track(path, "Badinerie"), at: path, today: 8)
    #expect(try await catalogue.track(at: path)?.title == "Badinerie")
    // The same size and another time, by a nanosecond.
    var status = stat()
    #expect(path.withCString { stat($0, &status) } == 0)
    var times = [status.st_atim, status.st_mtim]
    times[1].tv_nsec = times[1].tv_nsec == 0 ? 1 : times[1].tv_nsec - 1
    #expect(path.withCString { utimensat(AT_FDCWD, $0, times, 0) } == 0)
    #expect(try await catalogue.track(at: path) == nil)
    // Gone.
    _ = path.withCString { unlink($0) }
    #expect(try await catalogue.track(at: path) == nil)
    try await catalogue.learn(track(path), at: path, today: 9)
  }

  @Test("a damaged library is set aside, told, and begun anew")
  func damaged() async throws {
    _ = try await open()
    let path = try file()
    try await catalogue.learn(track(path), at: path, today: 7)
    await catalogue.close()
    try AtomicFile.replace(folder.path / "library.db", with: [UInt8](repeating: 0x55, count: 8_192))
    #expect(try await open(afterUncleanStop: true).count == 1)
    #expect(try Folder.names(in: folder.path).map(\.description).contains("library.db.damaged-2026-11-21"))
    #expect(try await catalogue.track(at: path) == nil)
    try await catalogue.learn(track(path), at: path, today: 7)
    #expect(try await catalogue.track(at: path) == track(path))
  }

  @Test("a length that no head says is known as soon as a decoder has said it")
  func learnedLength() async throws {
    _ = try await open()
    let path = try file(Array("a.tak".utf8))
    let source = try await catalogue.source(.folder, key: folder.path.bytes, label: "m", root: folder.path, today: 1)
    let root = try await catalogue.folder([], in: nil, of: source)
    let identity = try #require(Catalogue.identity(of: path))
    var metadata = Metadata()
    (metadata.title, metadata.rate) = ("Air", 22_050)
    let facts = FileFacts(folder: root, name: Array("a.tak".utf8), size: identity.size, modified: identity.modified)
    try await catalogue.store([Found(facts, .music(metadata, nil))], today: 1)
    #expect(try await catalogue.track(at: path)?.duration == nil)
    try await catalogue.learn(track(path, "as the decoder says"), at: path, today: 2)
    let known = try #require(try await catalogue.track(at: path))
    #expect(known.duration == .seconds(245) && known.rate == 22_050 && known.title == "Air")
    // Or when all of it was measured.
    try await catalogue.store([Found(facts, .music(metadata, nil))], today: 3)
    #expect(try await catalogue.track(at: path)?.duration == nil)
    try await catalogue.keep(MeasuredLoudness(lufs: -20, truePeak: 0.5, seconds: 245), of: path, today: 3)
    #expect(try await catalogue.track(at: path)?.duration == .seconds(245))
    // What is known is not changed by the next decoder.
    var other = track(path)
    other.frames = 7
    try await catalogue.learn(other, at: path, today: 3)
    #expect(try await catalogue.track(at: path)?.duration == .seconds(245))
  }

  @Test("numbers that no file has are not believed")
  func foreignNumbers() async throws {
    _ = try await open()
    let path = try file()
    try await catalogue.learn(track(path), at: path, today: 7)
    await catalogue.close()
    try Connection(open: folder.path / "library.db", as: .writer(durability: .full)).execute(
      "UPDATE track SET sample_rate = 9223372036854775807, bits = -9223372036854775808, frames = -5, title = NULL")
    _ = try await open()
    let track = try #require(try await catalogue.track(at: path))
    #expect(track.rate == 0 && track.bits == 0 && track.duration == nil && track.title == "a")
  }
}

@Suite("Track")
struct TrackTests {
  @Test(
    "a file nobody has opened is called by its name",
    arguments: [("/m/Air.flac", "Air"), ("/m/a.b.mp3", "a.b"), ("/m/plain", "plain"), ("/m/.hidden", ".hidden")])
  func names(path: String, title: String) { #expect(Track(named: FilePath(path)).title == title) }

  @Test("how long it lasts is known when the file says so")
  func duration() {
    var track = Track(named: FilePath("/a"))
    #expect(track.duration == nil)
    (track.frames, track.rate) = (66_150, 44_100)
    #expect(track.duration == .milliseconds(1_500))
  }
}
