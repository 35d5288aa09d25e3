import FaultServer
import Glibc
import Remote
import Runtime
import TestSupport
import Testing

/// What is opened in folders, as the kernel tells of it: files to be read, and folders to be listed.
private final class OpenedNames {
  private let descriptor: Descriptor
  private var folders: [Int32: String] = [:]

  init(in folders: [FilePath]) throws(Fault) {
    descriptor = Descriptor(taking: inotify_init1(Int32(O_NONBLOCK)))
    for folder in folders {
      let watch = folder.withCString { inotify_add_watch(descriptor.number, $0, UInt32(IN_OPEN)) }
      guard watch >= 0 else { throw Fault.system("T-4", doing: "watch \(folder)") }
      self.folders[watch] = folder.name.description
    }
  }

  /// Since the last time: a folder by its name, a file by those of both.
  func take() -> Set<String> {
    var opened: Set<String> = []
    var space = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor.number, &space, space.count)
      guard count > 0 else { return opened }
      space.withUnsafeBytes { bytes in
        var at = 0
        while at + MemoryLayout<inotify_event>.size <= count {
          let event = bytes.loadUnaligned(fromByteOffset: at, as: inotify_event.self)
          let name = bytes[(at + MemoryLayout<inotify_event>.size)...].prefix(Int(event.len)).prefix { $0 != 0 }
          let folder = folders[event.wd] ?? "?"
          opened.insert(name.isEmpty ? folder : "\(folder)/\(String(decoding: name, as: UTF8.self))")
          at += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
  }
}

extension ProgramTests {
  @Suite(
    "What comes whole is in the library", .serialized,
    .enabled(if: hasWayOut, "this machine has no network, and so nothing is fetched"))
  struct ArrivalTests {
    @Test("with 200 kept files, one more is read alone: no folder of the others is listed, and search finds it at once")
    func one() async throws {
      let folder = try KeptFolder(pieces: 201, of: 2_000)
      var index = folder.index
      (index.items[200].title, index.items[200].album) = ("Lonely Lighthouse", "Nowhere")
      folder.serve(index, tag: "2")
      let home = try Home(owner: folder.settings)
      let player = try await RunningPlayer(in: home)
      try await player.until("it can be asked what is kept") { try await player.answer("offline")["ok"] == true }
      try await player.ask("offline", "want", "album", "Elsewhere")
      try await player.until("200 are in the library") { try await player.ask("library")["tracks"]?.whole == 200 }

      let media = home.state / "media"
      let before = Self.files(in: home)
      let opened = try OpenedNames(in: home.names(in: media).filter { $0.count == 2 }.map { media / $0 })
      try await player.ask("offline", "want", "album", "Nowhere")
      try await player.until("it is found") {
        try await player.ask("search", "lighthouse")["tracks"]?.items?.first?["title"] == "Lonely Lighthouse"
      }
      let seen = opened.take()
      let new = Self.files(in: home).subtracting(before)
      #expect(new.count == 1 && before.count == 200)
      let others = seen.filter { name in !new.contains { $0.hasPrefix(name.prefix(2)) } }
      // One file a minute is compared with its sum, whatever else happens.
      #expect(others.filter { $0.count == 2 } == [] && others.count <= 1, "\(others)")
      #expect(try await player.ask("library")["tracks"]?.whole == 201)

      _ = opened.take()
      try await player.ask("offline", "drop", "album", "Nowhere")
      try await player.until("it is forgotten") { try await player.ask("library")["tracks"]?.whole == 200 }
      let looked = opened.take().filter { name in !new.contains { $0.hasPrefix(name.prefix(2)) } }
      #expect(looked.filter { $0.count == 2 } == [], "\(looked)")
      try await player.stop()
    }

    /// As they are called below the folder of all.
    private static func files(in home: Home) -> Set<String> {
      let media = home.state / "media"
      return Set(
        home.names(in: media).filter { $0.count == 2 }.flatMap { folder in
          home.names(in: media / folder).map { "\(folder)/\($0)" }
        }.filter { $0.hasSuffix(".mp3") })
    }
  }
}
