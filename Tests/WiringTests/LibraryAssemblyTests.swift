import Application
import Glibc
import Hardware
import Library
import Playback
import Runtime
import TestSupport
import Testing

@testable import layby

@Suite("The library and sticks, made of real parts")
struct LibraryAssemblyTests {
  private static func music(in folder: FilePath) throws -> FilePath {
    let music = folder / "music"
    try Folder.make(music, mode: 0o755)
    try TinyAlbums(10).write(below: music)
    return music
  }

  private static let stick = Stick(
    uuid: "ABCD-1234", label: "", root: FilePath("/nowhere"), fileSystem: "vfat", bytes: nil,
    device: DeviceNumber(major: 8, minor: 1))

  @Test("a folder is imported by the use case, told once, and found by browsing; the next start looks through it again")
  func imports() async throws {
    let folder = TempFolder()
    let music = try Self.music(in: folder.path)
    let codes = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.openLibrary()
      try await world.library.application.importing?.start([music])
      try await world.untilTracks(10)
      return world.codes
    }
    #expect(codes == ["L-410"])
    // One file more, which nobody tells of.
    try AtomicFile.replace(music / "new.mp3", with: TinyMP3(title: "New", album: "New", sound: 99).bytes, mode: 0o644)
    let tracks = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.openLibrary()
      try await world.untilTracks(11)
      return try await world.library.application.browsing?.survey().tracks
    }
    #expect(tracks == 11)
  }

  @Test(
    "where no disk can be written there is no library, and what can be played is still asked of the same application")
  func withoutDisk() async throws {
    let folder = TempFolder()
    // A file stands where the state folder should be.
    try AtomicFile.replace(folder.path / "state", with: [1])
    let seen = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.library.keep()
      let application = world.library.application
      return [
        world.library.jobs == nil, application.importing == nil, application.playlists == nil,
        application.browsing == nil, application.sticks?.count == 0, application.playing.status.wish == .stopped,
      ]
    }
    #expect(seen == Array(repeating: true, count: 6))
  }

  /// A stick with ten tracks is mounted, as the kernel's table says it.
  private static func mount(in folder: FilePath) throws {
    let mounts = folder / "mounts"
    let place = mounts / "places" / "ABCD-1234"
    for path in [mounts, mounts / "places", place, mounts / "records", mounts / "disks", mounts / "numbers"] {
      try Folder.make(path, mode: 0o755)
    }
    try TinyAlbums(10).write(below: place)
    try AtomicFile.replace(
      mounts / "records" / "b8:1", with: Array("E:ID_FS_UUID=ABCD-1234\nE:ID_FS_TYPE=vfat\n".utf8), mode: 0o644)
    let line = "1 29 8:1 / \(place) ro,nosuid,nodev,noexec shared:7 - vfat /dev/sda1 ro\n"
    try AtomicFile.replace(mounts / "table", with: Array(line.utf8), mode: 0o644)
  }

  /// Waits for the question about the stick, and answers it.
  @MainLoop
  private static func answer(_ answer: StickMusic.ImportDecision, _ world: AssemblyWorld) async -> String {
    let questions = world.context.questions
    let asked = Mailbox<Void>(limit: 1)
    questions.listen { asked.send(()) }
    while questions.current == nil, await asked.receive() != nil {}
    guard let current = questions.current else { return "nothing" }
    _ = questions.answer(current.number, with: answer.rawValue)
    return current.question.code
  }

  @Test("a new stick is asked about; after yes its music is in the library, and is played when the answer says so")
  func stickIsTakenIn() async throws {
    let folder = TempFolder()
    try Self.mount(in: folder.path)
    let seen = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.openLibrary()
      await world.library.sticks.keep()
      var seen = [await Self.answer(.yesAndPlay, world)]
      try await world.untilTracks(10)
      let events = Mailbox<PlayerEvent>(limit: 1)
      world.sound.transport.follow(events)
      while world.sound.transport.queue.count < 10, await events.receive() != nil {}
      seen += [
        "\(world.sound.transport.queue.count)", "\(world.sound.transport.status.wish)",
        "\(world.library.application.sticks?.count ?? 0)",
      ]
      return seen
    }
    #expect(seen == ["H-713", "10", "playing", "1"])
  }

  @Test("a known stick is taken in unasked; another one that calls itself the same is asked about")
  func identity() async throws {
    let folder = TempFolder()
    try Self.mount(in: folder.path)
    let place = folder.path / "mounts" / "places" / "ABCD-1234"
    try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.openLibrary()
      await world.library.sticks.keep()
      _ = await Self.answer(.yes, world)
      try await world.untilTracks(10)
    }
    // Its owner has put a track more on it.
    try AtomicFile.replace(place / "new.mp3", with: TinyMP3(title: "New", album: "New", sound: 99).bytes, mode: 0o644)
    let asked = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.openLibrary()
      await world.library.sticks.keep()
      try await world.untilTracks(11)
      return world.context.questions.current != nil
    }
    #expect(!asked)
    // A stick of somebody else.
    #expect(rename("\(place)", "\(folder.path / "away")") == 0)
    try Folder.make(place, mode: 0o755)
    for number in 0..<12 {
      let track = TinyMP3(title: "\(number)", album: "Other", sound: UInt64(200 + number))
      try AtomicFile.replace(place / "other \(number).mp3", with: track.bytes, mode: 0o644)
    }
    let seen = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.openLibrary()
      await world.library.sticks.keep()
      let code = await Self.answer(.notNow, world)
      return [code, "\(try await world.library.application.browsing?.survey().tracks ?? 0)"]
    }
    #expect(seen == ["H-713", "11"])
  }

  @Test(
    "after a power cut nothing of a stick is present, and of another one that calls itself the same nothing ever is",
    arguments: ["", "[panel]\nprofile = kiosk\n"])
  func otherAfterPowerCut(owner: String) async throws {
    let folder = TempFolder()
    try Self.mount(in: folder.path)
    let place = folder.path / "mounts" / "places" / "ABCD-1234"
    // This ends with the stick in, as when the power goes.
    let before = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.openLibrary()
      await world.library.sticks.keep()
      _ = await Self.answer(.yes, world)
      try await world.untilTracks(10)
      return try await world.storage.catalogue?.sources().map(\.isPresent)
    }
    #expect(before == [true])
    #expect(rename("\(place)", "\(folder.path / "away")") == 0)
    try Folder.make(place, mode: 0o755)
    for number in 0..<12 {
      let track = TinyMP3(title: "\(number)", album: "Other", sound: UInt64(200 + number))
      try AtomicFile.replace(place / "other \(number).mp3", with: track.bytes, mode: 0o644)
    }
    let seen = try await AssemblyWorld.live(in: folder.path, owner: owner) { world throws(Fault) in
      await world.library.keep()
      await withCheckedContinuation { (opened: CheckedContinuation<Void, Never>) in
        world.storage.openLibrary { opened.resume() }
      }
      let sources = { () async throws(Fault) in try await world.storage.catalogue?.sources().map(\.isPresent) ?? [] }
      var seen = [try await sources()]
      world.library.open()
      await world.library.sticks.keep()
      let code = await Self.answer(.notNow, world)
      seen.append(try await sources())
      return (code: code, present: seen)
    }
    #expect(seen.code == "H-713" && seen.present == [[false], [false]], "\(seen)")
  }

  @Test("a stick that shall never be taken in is not asked about again, also after the next start")
  func never() async throws {
    let folder = TempFolder()
    try Self.mount(in: folder.path)
    let before = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.library.sticks.remember()
      await world.openLibrary()
      await world.library.sticks.keep()
      let asked = await Self.answer(.never, world)
      await world.settle()
      return [asked] + world.codes
    }
    #expect(before == ["H-713", "H-710", "H-715"])
    let after = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.library.sticks.remember()
      return world.library.sticks.part.sticks.isEmpty && world.library.sticks.memory.leavesAlone(Self.stick)
    }
    #expect(after)
  }

  @Test("a stick that waits for a yes is named in the run folder when it comes")
  func allowed() async throws {
    let folder = TempFolder()
    let waits = RefusedStick(label: "Road", reason: .waits, fileSystem: nil, device: "sdb1")
    try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in try world.library.sticks.allow(waits) }
    #expect(try Folder.names(in: folder.path / "run" / "sticks").map(\.description) == ["sdb1"])
  }
}
