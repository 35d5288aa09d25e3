import Formats
import Library
import Runtime
import TestSupport
import Testing

@testable import Audio
@testable import Playback

/// What the library knows of a track goes before what the decoder reads of its file.
@Suite("What the library knows of what plays")
struct LibraryNamesTests {
  private func onStage(
    isKnown: Bool = false, loudness: LoudnessPart? = nil, _ body: @Sendable (Stage) async throws -> Void
  ) async throws {
    try await TestMainLoop.alone {
      let stage = try #require(await onMainLoop { try? Stage(.tracks(450), loudness: loudness) })
      await onMainLoop {
        stage.library.isOpen = isKnown
        await stage.start()
      }
      try await body(stage)
      await onMainLoop { stage.stop() }
      await until("the end") { stage.isOver }
    }
  }

  @Test("its names are shown from the moment at which a track is opened, and the decoder's length")
  func opened() async throws {
    try await onStage(isKnown: true) { stage in
      await onMainLoop {
        await stage.perform(.play)
        stage.sound.hear(1)
      }
      await until("the name") { stage.transport.status.track?.title == "Known 1.flac" }
      await onMainLoop {
        #expect(stage.transport.status.track?.artist == "Somebody")
        #expect(stage.transport.status.track?.duration == .seconds(200))
        while stage.events.tryReceive() != nil {}
        // What comes next was looked up when it was known to come next: nobody ever sees another name.
        #expect(stage.transport.status.next?.title == "Known 2.flac")
        await stage.perform(.next)
        stage.sound.hear(2)
      }
      await until("the next") { stage.transport.status.track?.duration == .seconds(200) }
      await onMainLoop {
        while let event = stage.events.tryReceive() {
          guard event.status.entry?.id == EntryID(number: 2) else { continue }
          #expect(event.status.track?.title == "Known 2.flac")
        }
      }
    }
  }

  @Test("lists call a file by the library's names also in the moment after its decoder has opened it")
  func justOpened() async throws {
    try await onStage { stage in
      await onMainLoop {
        await stage.perform(.play)
        stage.sound.hear(1)
      }
      await until("it is open") { stage.transport.status.track?.duration == .seconds(200) }
      await onMainLoop {
        stage.library.isOpen = true
        var track: Track?
        if let entry = stage.transport.status.entry { track = await stage.transport.known(entry) }
        #expect(track?.title == "Known 1.flac" && track?.duration == .seconds(200))
      }
    }
  }

  @Test("what no library knows is called as the decoder reads it; an import that reads it later renames it")
  func later() async throws {
    try await onStage { stage in
      await onMainLoop {
        await stage.perform(.play)
        stage.sound.hear(1)
      }
      await until("it is heard") { stage.transport.status.track?.duration == .seconds(200) }
      await onMainLoop {
        #expect(stage.transport.status.track?.title == "1")
        #expect(stage.library.learned == [FilePath("/music/1.flac")])
        stage.library.isOpen = true
        stage.transport.libraryGrows()
      }
      await until("the name") { stage.transport.status.track?.title == "Known 1.flac" }
      await until("the next") {
        if stage.transport.status.next?.title == "2" { stage.transport.libraryChanged() }
        return stage.transport.status.next?.title == "Known 2.flac"
      }
    }
  }

  @Test("what waits to be played is called as the library knows it, though its file was never opened")
  func waiting() async throws {
    try await onStage { stage in
      await onMainLoop {
        stage.library.isOpen = true
        // Not the one that comes next, whose name is known.
        await stage.perform(.jump(to: EntryID(number: 3)))
        await stage.perform(.pause)
      }
      await until("the name") { stage.transport.status.track?.title == "Known 3.flac" }
    }
  }

  @Test("where the library knows no title or artist, the decoder's stay")
  func gaps() {
    let path = FilePath("/music/1.flac")
    var read = Track(named: path)
    (read.title, read.artist, read.album, read.number) = ("Air", "Bach", "Suites", 3)
    var known = Track(named: path)
    #expect(read.called(as: known, at: path) == read && read.called(as: nil, at: path) == read)
    known.isCatalogued = true
    var wanted = read
    wanted.isCatalogued = true
    #expect(read.called(as: known, at: path) == wanted)
    known.artist = "Johann Bach"
    wanted.artist = "Johann Bach"
    #expect(read.called(as: known, at: path) == wanted)
  }

  @Test("gains are looked up before music is added or jumped to, since it may be started at once")
  func before() async throws {
    let book = await onMainLoop { GainBook() }
    try await onStage(loudness: book.part) { stage in
      await onMainLoop {
        func path(_ number: Int) -> FilePath { FilePath("/music/\(number).flac") }
        await stage.perform(.add([path(504)]))
        #expect(book.asked.isEmpty)
        stage.transport.sounding.normaliser = .track
        await stage.perform(.add([path(505), path(506)]))
        await stage.perform(.playNext([path(507), FilePath("layby:shop/1")]))
        await stage.perform(.jump(to: EntryID(number: 3)))
        await stage.perform(.next)
        #expect(book.asked == [[path(505), path(506)], [path(507)], [path(3)]])
      }
    }
  }

  @Test("gains that an import has read go with what is started, and are read anew when the library changes")
  func gains() async throws {
    let book = await onMainLoop { GainBook() }
    try await onStage(loudness: book.part) { stage in
      await onMainLoop {
        // Nothing is measured meanwhile.
        stage.transport.sounding.plan.chores = false
        stage.transport.sounding.normaliser = .track
        book.begin()
      }
      await until("the gains") { book.gain(of: 450) == -3 }
      await onMainLoop {
        #expect(book.asked.map(\.count) == [200, 200, 50])
        // Of a file that no import has read nothing is said.
        #expect(book.gain(of: 1) == nil)
        book.gain = -9
        book.part.libraryChanged()
      }
      await MainLoop.loop.advance(by: LoudnessPart.rest)
      await until("the new gains") { book.gain(of: 450) == -9 }
      await onMainLoop {
        await stage.perform(.jump(to: EntryID(number: 2)))
        #expect(stage.sound.hints.last?.tagged.trackGain == -9)
        // What follows was announced with this gain; the new one is told as long as nobody has opened it.
        book.gain = -12
        book.part.libraryChanged()
      }
      await MainLoop.loop.advance(by: LoudnessPart.rest)
      await until("the hint") { stage.sound.calls.contains("hint \(EntryID(number: 3)) -12.0") }
      await onMainLoop {
        // In the middle of a track nothing becomes louder; from its beginning it is played with what is known by then.
        stage.sound.hear(2)
        await stage.perform(.seek(to: .seconds(10)))
        #expect(stage.sound.hints.last?.tagged.trackGain == -9)
        await stage.perform(.jump(to: EntryID(number: 2)))
        #expect(stage.sound.hints.last?.tagged.trackGain == -12)
        await book.end()
      }
    }
  }
}

/// A library that has read the gains in all files but the first, and the part that asks it.
@MainLoop
private final class GainBook: LoudnessStore {
  var gain = -3.0
  var asked: [[FilePath]] = []
  private var life: Task<Void, Never>?
  private(set) lazy var part = LoudnessPart(storedIn: self)

  func loudness(of paths: [FilePath]) async -> [FilePath: MeasuredLoudness] { [:] }

  func taggedLoudness(of paths: [FilePath]) async -> [FilePath: LoudnessFacts] {
    asked.append(paths)
    let known = paths.filter { $0 != FilePath("/music/1.flac") }
    return Dictionary(uniqueKeysWithValues: known.map { ($0, LoudnessFacts(trackGain: gain)) })
  }

  func keep(_ loudness: MeasuredLoudness, of path: FilePath) async {}

  func gain(of number: Int) -> Double? { part.hint(for: FilePath("/music/\(number).flac")).tagged.trackGain }

  func begin() { life = MainLoop.start { try? await self.part.run() } }

  func end() async {
    life?.cancel()
    await life?.value
  }
}
