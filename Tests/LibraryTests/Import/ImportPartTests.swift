import Runtime
import TestSupport
import Testing

@testable import Library

/// A part that imports, and what it told.
@MainLoop
private final class Desk {
  let tree: MusicTree
  let part: ImportPart
  private(set) var ended: [String] = []
  private var life: Task<Void, Never>?

  init(_ tree: MusicTree) throws {
    self.tree = tree
    part = ImportPart(into: tree.catalogue, on: try EventLoop("work", mayBlock: true), date: { 1_000 })
    part.tell = { [unowned self] news in
      guard case .ended(let wish, let result) = news else { return }
      switch result {
      case .success(let done): ended.append("\(wish.label): \(done.seen), \(done.read) read")
      case .failure(let fault): ended.append("\(wish.label): \(fault.code)")
      }
    }
  }

  func start() { life = MainLoop.start { [part] in try? await part.run() } }

  func stop() async {
    life?.cancel()
    await life?.value
  }
}

@Suite("Imports that are asked for")
struct ImportPartTests {
  /// What a part told while that was done with it.
  private static func told(
    _ tree: MusicTree, _ body: @escaping @MainLoop @Sendable (Desk) async -> Void
  ) async -> [String] {
    await TestMainLoop.alone {
      await onMainLoop { () -> [String] in
        guard let desk = try? Desk(tree) else { return [] }
        await body(desk)
        return desk.ended
      }
    }
  }

  @Test("each is done once, in order; a folder within a source is that source's; what fails is told")
  func queue() async throws {
    let tree = try MusicTree()
    for name in ["a/1.mp3", "a/2.mp3", "b/deep/1.mp3"] {
      try tree.write(name, TinyMP3(sound: UInt64(name.utf8.count)).bytes)
    }
    try await tree.open()
    let other = TempFolder()
    let place = other.path
    let told = await Self.told(tree) { desk in
      desk.part.special = { $0 == place ? .init(kind: .stick, key: [1], label: "stick", root: $0) : nil }
      // The tree's own root is a source already.
      try? await desk.part.add(folder: tree.path("b/deep"))
      try? await desk.part.add(folder: tree.path("a"))
      try? await desk.part.add(folder: place)
      desk.part.add(.init(kind: .folder, key: [9], label: "gone", root: FilePath("/nowhere/at/all")))
      #expect(desk.part.waiting.map(\.label) == ["music", "stick", "gone"])
      await #expect(throws: Fault.self) { try await desk.part.add(folder: FilePath("/nowhere")) }
      desk.start()
      while desk.ended.count < 3 { await MainLoop.loop.nextRound() }
      #expect(desk.part.lastFault?.code == "L-405" && !desk.part.isRunning)
      await desk.stop()
    }
    #expect(told == ["music: 3, 3 read", "stick: 0, 0 read", "gone: L-405"])
  }

  @Test("what a start takes up is not done again when somebody was quicker; who asks for it again gets it again")
  func takenUp() async throws {
    let tree = try MusicTree()
    try tree.write("a/1.mp3", TinyMP3(sound: 1).bytes)
    try await tree.open()
    let told = await Self.told(tree) { desk in
      let root = tree.music.path
      desk.part.takeUp(.init(folder: root))
      #expect(desk.part.waiting.count == 1)
      desk.start()
      while desk.ended.isEmpty { await MainLoop.loop.nextRound() }
      desk.part.takeUp(.init(folder: root))
      #expect(desk.part.waiting.isEmpty)
      try? await desk.part.add(folder: root)
      while desk.ended.count < 2 { await MainLoop.loop.nextRound() }
      await desk.stop()
    }
    #expect(told.map { $0.split(separator: ":").last } == [" 1, 1 read", " 1, 0 read"])
  }

  @Test("a wish to stop counts from the first moment on, and so does the program's end")
  func stopped() async throws {
    let tree = try MusicTree()
    try tree.write("a/1.mp3", TinyMP3(sound: 1).bytes)
    try await tree.open()
    let told = await Self.told(tree) { desk in
      try? await desk.part.add(folder: tree.path("a"))
      desk.start()
      while !desk.part.isRunning { await MainLoop.loop.nextRound() }
      // Its source is still being looked up.
      desk.part.stop()
      while desk.ended.isEmpty { await MainLoop.loop.nextRound() }
      try? await desk.part.add(folder: tree.path("a"))
      while !desk.part.isRunning { await MainLoop.loop.nextRound() }
      await desk.stop()
    }
    #expect(told == ["music: L-407", "music: L-407"])
    #expect(try await tree.catalogue.survey().tracks == 0)
    let sign = StopSign()
    sign.raise()
    await #expect(throws: Fault.self) { try await tree.run(until: sign) }
    #expect(try await tree.run().read == 1)
  }

  @Test("held it breaks off, keeps what it was at in front, begins nothing new, and does it all when that is over")
  func held() async throws {
    let tree = try MusicTree()
    try tree.write("a/1.mp3", TinyMP3(sound: 1).bytes)
    try await tree.open()
    let other = TempFolder()
    let told = await Self.told(tree) { desk in
      try? await desk.part.add(folder: tree.path("a"))
      desk.start()
      while !desk.part.isRunning { await MainLoop.loop.nextRound() }
      desk.part.isHeld = true
      try? await desk.part.add(folder: other.path)
      while desk.part.isRunning { await MainLoop.loop.nextRound() }
      for _ in 0..<20 { await MainLoop.loop.nextRound() }
      #expect(desk.part.waiting.map(\.label) == ["music", other.path.name.description] && desk.ended == [])
      desk.part.isHeld = false
      while desk.ended.count < 2 { await MainLoop.loop.nextRound() }
      // Who stops it while it is held wants none of it.
      desk.part.isHeld = true
      try? await desk.part.add(folder: tree.path("a"))
      desk.part.stop()
      desk.part.isHeld = false
      for _ in 0..<20 { await MainLoop.loop.nextRound() }
      await desk.stop()
    }
    #expect(told == ["music: 1, 1 read", "\(other.path.name): 0, 0 read"])
  }

  @Test("time left is told when there is something to reckon with, and never for what is done")
  func timeLeft() {
    var progress = ImportProgress(source: 1, root: FilePath("/m"), began: Moment(nanoseconds: 0))
    func left(_ seconds: Int64) -> Duration? { progress.left(at: Moment(nanoseconds: seconds * 1_000_000_000)) }
    progress.expected = 1_000
    progress.seen = 500
    #expect(left(10) == nil, "it counts")
    progress.phase = .reading
    #expect(left(10) == .seconds(10))
    #expect(left(0) == nil)
    progress.seen = 10
    #expect(left(10) == nil)
    // More than was thought.
    progress.seen = 2_000
    #expect(progress.total == 2_000 && left(10) == .zero)
    progress.phase = .done
    #expect(left(10) == nil)
  }

  @Test("a file that is handed over is read at once; not while nothing may be written, nor beside its source's import")
  func handedOver() async throws {
    let tree = try MusicTree()
    for number in 1...2 { try tree.write("aa/\(number).mp3", TinyMP3(sound: UInt64(number)).bytes) }
    try await tree.open()
    let wish = ImportPart.Request(kind: .folder, key: tree.music.path.bytes, label: "music", root: tree.music.path)
    let (first, second) = (tree.path("aa/1.mp3"), tree.path("aa/2.mp3"))
    let told = await Self.told(tree) { desk in
      try? await desk.part.take(Arrival(first, IndexFacts(name: "1")), of: wish)
      #expect((try? await tree.catalogue.survey().tracks) == 1 && desk.part.waiting.isEmpty)
      desk.part.isHeld = true
      try? await desk.part.take(Arrival(second, IndexFacts(name: "2")), of: wish)
      #expect((try? await tree.catalogue.survey().tracks) == 1 && desk.part.waiting == [wish])
      desk.part.isHeld = false
      desk.start()
      while !desk.part.isRunning { await MainLoop.loop.nextRound() }
      #expect(desk.part.waiting.isEmpty)
      try? await desk.part.take(Arrival(second, IndexFacts(name: "2")), of: wish)
      #expect(desk.part.waiting == [wish])
      while desk.ended.count < 2 { await MainLoop.loop.nextRound() }
      await desk.stop()
    }
    #expect(told == ["music: 2, 1 read", "music: 2, 0 read"])
  }
}
