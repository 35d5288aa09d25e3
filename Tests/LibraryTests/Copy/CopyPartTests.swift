import DiskFaults
import Files
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Library

/// A part that copies, and what it told.
@MainLoop
private final class Counter {
  let desk: CopyDesk
  let part: CopyPart
  private(set) var told: [String] = []
  private var life: Task<Void, Never>?

  private(set) var placed = 0

  init(_ desk: CopyDesk, _ disk: any CopyDisk = KernelDisk(), boot: [UInt8] = []) throws {
    self.desk = desk
    let loop = try EventLoop("work", mayBlock: true)
    part = CopyPart(
      to: desk.music, on: loop,
      Copier(to: desk.music, on: loop, disk: disk, patience: .zero, grain: CopyDesk.grain, boot: boot))
    part.placed = { [unowned self] in placed += 1 }
    part.sources = { [desk] in [desk.wish().from] }
    part.tell = { [unowned self] news in
      switch news {
      case .ended(let wish, .success(let done)): told.append("\(wish.from.label): \(done.files), \(done.there) there")
      case .ended(let wish, .failure(let fault)): told.append("\(wish.from.label): \(fault.code)")
      case .away(let wish, _): told.append("\(wish.from.label): away")
      }
    }
  }

  func start() { life = MainLoop.start { [part] in try? await part.run() } }

  func heard(_ count: Int) async { while told.count < count { await MainLoop.loop.nextRound() } }

  func stop() async {
    life?.cancel()
    await life?.value
  }

  /// Asked to end, but not waited for.
  func cancel() { life?.cancel() }
}

/// Holds the copying thread at a place until it is let go on.
private final class Gate: Sendable {
  let reached = Mailbox<Void>()
  private let ends: (Int32, Int32)

  init() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    self.ends = (ends[0], ends[1])
  }

  deinit {
    close(ends.0)
    close(ends.1)
  }

  func wait() {
    reached.send(())
    var byte: UInt8 = 0
    read(ends.0, &byte, 1)
  }

  func open() { _ = write(ends.1, [1], 1) }
}

@Suite("Copies that are asked for")
struct CopyPartTests {
  @Test("each is done once, in order, and what fails is told; a plan copies nothing")
  func queue() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let told = await TestMainLoop.alone { () -> [String] in
      await onMainLoop { () -> [String] in
        guard let counter = try? Counter(desk) else { return [] }
        try? await counter.part.add([desk.stick], isPlan: true)
        counter.start()
        await counter.heard(1)
        #expect(counter.part.progress?.phase == .planned && counter.part.progress?.of == 6)
        #expect((try? Folder.names(in: desk.music)) == nil)
        try? await counter.part.add([desk.path("Bach"), desk.path("z.ogg")], isPlan: false)
        await counter.heard(2)
        try? await counter.part.add([desk.stick], isPlan: false)
        await counter.heard(3)
        await #expect(throws: Fault.self) { try await counter.part.add([FilePath("/nowhere")], isPlan: false) }
        try? await counter.part.add([desk.path("empty.opus/..")], isPlan: false)
        await counter.stop()
        #expect(!counter.part.isRunning)
        return counter.told
      }
    }
    #expect(told == ["Blue: 0, 0 there", "Blue: 5, 0 there", "Blue: 6, 5 there"])
    try desk.expectSame()
  }

  @Test("held it breaks off and goes on afterwards by itself; nothing new begins meanwhile")
  func held() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let gate = Gate()
    let disk = FaultyDisk { (path, at, _) throws(Fault) in if path == desk.path("z.ogg"), at == 3_000 { gate.wait() } }
    await TestMainLoop.alone {
      await onMainLoop {
        guard let counter = try? Counter(desk, disk) else { return }
        counter.start()
        try? await counter.part.add([desk.stick], isPlan: false)
        _ = await gate.reached.receive()
        counter.part.isHeld = true
        gate.open()
        while counter.part.isRunning { await MainLoop.loop.nextRound() }
        for _ in 0..<20 { await MainLoop.loop.nextRound() }
        #expect(counter.told == [] && counter.part.waiting == 1)
        gate.open()
        counter.part.isHeld = false
        await counter.heard(1)
        #expect(counter.told.first?.hasPrefix("Blue: 6, ") == true)
        await counter.stop()
      }
    }
    try desk.expectSame()
  }

  @Test("one whose stick is pulled waits for it, also in the next life of the program, and goes on by itself")
  func away() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let aside = desk.folder.path / "aside"
    let disk = FaultyDisk { (path, at, _) throws(Fault) in
      guard path == desk.path("z.ogg"), at == 3_000 else { return }
      _ = desk.stick.withCString { old in aside.withCString { rename(old, $0) } }
      throw Fault.system("L-420", doing: "read \(path)", errno: EIO)
    }
    await TestMainLoop.alone {
      await onMainLoop {
        guard let counter = try? Counter(desk, disk) else { return }
        counter.start()
        try? await counter.part.add([desk.stick], isPlan: false)
        await counter.heard(1)
        #expect(counter.told == ["Blue: away"] && counter.part.away.count == 1 && counter.part.waiting == 0)
        #expect(counter.part.lastFault?.code == "L-423")
        await counter.stop()
        guard let next = try? Counter(desk), CopyPart.isUnfinished(in: desk.music) else { return }
        next.start()
        try? await next.part.takeUp()
        #expect(next.part.away.count == 1 && next.part.waiting == 0, "sticks are there when they come")
        // It is mounted elsewhere this time.
        next.part.came(.init(kind: .stick, key: Array("other".utf8), label: "Red", root: aside))
        next.part.came(.init(kind: .stick, key: Array("12-AB".utf8), label: "Blue", root: aside))
        await next.heard(1)
        #expect(next.told == ["Blue: 6, 1 there"] && next.part.away.isEmpty)
        await next.stop()
        #expect(!CopyPart.isUnfinished(in: desk.music))
      }
    }
    #expect(try CopyDesk.tree(desk.music) == CopyDesk.tree(aside))
  }

  @Test("one that came back before it was missed goes on at once, by its one arrival")
  func backAtOnce() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let (gate, aside) = (Gate(), desk.folder.path / "aside")
    let disk = FaultyDisk { (path, at, _) throws(Fault) in
      guard path == desk.path("z.ogg"), at == 3_000 else { return }
      gate.wait()
      throw Fault.system("L-420", doing: "read \(path)", errno: EIO)
    }
    await TestMainLoop.alone {
      await onMainLoop {
        guard let counter = try? Counter(desk, disk) else { return }
        counter.start()
        try? await counter.part.add([desk.stick], isPlan: false)
        _ = await gate.reached.receive()
        _ = desk.stick.withCString { old in aside.withCString { rename(old, $0) } }
        let key = Array("12-AB".utf8)
        counter.part.went(desk.wish().from)
        counter.part.came(.init(kind: .stick, key: key, label: "Blue", root: aside))
        gate.open()
        await counter.heard(1)
        #expect(counter.told == ["Blue: 6, 1 there"] && counter.part.away.isEmpty)
        #expect(counter.placed == 2, "once for each run that placed something")
        await counter.stop()
      }
    }
  }

  @Test("a stick's twin that comes and goes neither takes its copies over nor makes them wait")
  func twins() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let (gate, twin) = (Gate(), desk.folder.path / "twin")
    try desk.write(twin / "Bach/3 Sarabande.mp3", CopyDesk.bytes(900, 9))
    let disk = FaultyDisk { path, at, _ in if path == desk.path("z.ogg"), at == 2_000 { gate.wait() } }
    await TestMainLoop.alone {
      await onMainLoop {
        guard let counter = try? Counter(desk, disk) else { return }
        let other = ImportPart.Request(kind: .stick, key: desk.wish().from.key, label: "Twin", root: twin)
        try? await counter.part.add([desk.path("z.ogg")], isPlan: false)
        try? await counter.part.add([desk.path("Bach")], isPlan: false)
        // What is wanted of the twin itself is another copy, though it is called the same.
        try? await counter.part.add(
          CopyWish(from: other, picks: [.init(folder: [Array("Bach".utf8)])]), isPlan: false)
        #expect(counter.part.waiting == 3)
        counter.start()
        _ = await gate.reached.receive()
        counter.part.went(other)
        #expect(counter.part.waiting == 1 && counter.part.away.map(\.from.root) == [twin])
        counter.part.came(other)
        #expect(counter.part.waiting == 2 && counter.part.away.isEmpty)
        gate.open()
        await counter.heard(3)
        await counter.stop()
        #expect(counter.told == ["Blue: 1, 0 there", "Blue: 4, 0 there", "Twin: 1, 0 there"])
      }
    }
  }

  @Test("a stick that does not hold any more what is wanted of it ends the copy, told once")
  func nothingLeft() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    _ = try await desk.copier().accept(desk.wish([.init(folder: [Array("none".utf8)])]))
    await TestMainLoop.alone {
      await onMainLoop {
        guard let counter = try? Counter(desk) else { return }
        counter.start()
        try? await counter.part.takeUp()
        #expect(counter.part.away.count == 1)
        counter.part.came(desk.wish().from)
        await counter.heard(1)
        counter.part.came(desk.wish().from)
        await counter.stop()
        #expect(counter.told.count == 1 && counter.told.first != "Blue: away" && counter.part.away.isEmpty)
        #expect(counter.placed == 0 && !CopyPart.isUnfinished(in: desk.music))
      }
    }
  }

  @Test("a stick that holds nothing because it was pulled is waited for")
  func emptyPlace() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    _ = try await desk.copier().accept(desk.wish([.init(folder: [Array("none".utf8)])]))
    let gate = Gate()
    await TestMainLoop.alone {
      await onMainLoop {
        guard let counter = try? Counter(desk, FaultyDisk(asked: { gate.wait() })) else { return }
        counter.start()
        try? await counter.part.takeUp()
        counter.part.came(desk.wish().from)
        _ = await gate.reached.receive()
        counter.part.went(desk.wish().from)
        gate.open()
        await counter.heard(1)
        #expect(counter.told == ["Blue: away"] && counter.part.away.count == 1)
        await counter.stop()
        #expect(CopyPart.isUnfinished(in: desk.music))
      }
    }
  }

  @Test("a folder that goes away is tried when it is asked for again and at the next start, and then no more")
  func folderAway() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let aside = desk.folder.path / "aside"
    let wish = CopyWish(from: .init(folder: desk.stick), picks: [.init(folder: [])])
    let disk = FaultyDisk { (path, at, _) throws(Fault) in
      guard path == desk.path("z.ogg"), at == 3_000 else { return }
      _ = desk.stick.withCString { old in aside.withCString { rename(old, $0) } }
      throw Fault.system("L-420", doing: "read \(path)", errno: EIO)
    }
    await TestMainLoop.alone {
      await onMainLoop {
        guard let counter = try? Counter(desk, disk) else { return }
        counter.start()
        try? await counter.part.add(wish, isPlan: false)
        await counter.heard(1)
        #expect(counter.told == ["stick: away"] && counter.part.away.count == 1 && counter.placed == 1)
        await counter.stop()
        for isBack in [false, true] {
          if isBack {
            _ = aside.withCString { old in desk.stick.withCString { rename(old, $0) } }
            _ = try? await desk.copier().accept(wish)
          }
          guard let next = try? Counter(desk) else { return }
          next.start()
          try? await next.part.takeUp()
          await next.heard(1)
          #expect(next.told == [isBack ? "stick: 6, 1 there" : "stick: L-405"] && next.part.away.isEmpty)
          await next.stop()
          #expect(!CopyPart.isUnfinished(in: desk.music))
        }
      }
    }
  }

  @Test("in safe mode nothing is taken up and what is asked for is done; a copy that ended the program twice is told")
  func safe() async throws {
    let desk = try CopyDesk()
    try desk.fill()
    let boot: [UInt8] = [0x31]
    let folder = CopyWish(from: .init(folder: desk.stick), picks: [.init(folder: [])])
    let number = try await desk.copier().accept(folder)
    await TestMainLoop.alone {
      await onMainLoop {
        guard let counter = try? Counter(desk, boot: boot) else { return }
        counter.part.isSafe = true
        counter.start()
        try? await counter.part.takeUp()
        #expect(counter.part.waiting == 0 && counter.part.away.isEmpty)
        try? await counter.part.add([desk.path("z.ogg")], isPlan: false)
        await counter.heard(1)
        #expect(counter.told == ["Blue: 1, 0 there"] && CopyPart.isUnfinished(in: desk.music))
        await counter.stop()
        let journal = CopyJournal(in: desk.music, disk: KernelDisk())
        for _ in 0..<2 { journal.begin(number, boot) }
        guard let next = try? Counter(desk, boot: boot) else { return }
        next.start()
        try? await next.part.takeUp()
        await next.heard(1)
        await next.stop()
        #expect(next.told == ["stick: L-436"] && !CopyPart.isUnfinished(in: desk.music))
      }
    }
  }

  @Test("the program's end interrupts it and keeps it; a wish to stop drops it with all that is half")
  func stopped() async throws {
    for isEnd in [true, false] {
      let desk = try CopyDesk()
      try desk.fill()
      let gate = Gate()
      let disk = FaultyDisk { path, at, _ in if path == desk.path("z.ogg"), at == 2_000 { gate.wait() } }
      await TestMainLoop.alone {
        await onMainLoop {
          guard let counter = try? Counter(desk, disk) else { return }
          counter.start()
          try? await counter.part.add([desk.stick], isPlan: false)
          _ = await gate.reached.receive()
          if isEnd {
            counter.cancel()
            gate.open()
            await counter.stop()
            #expect(counter.told.isEmpty && CopyPart.isUnfinished(in: desk.music))
          } else {
            await counter.part.stop()
            gate.open()
            await counter.heard(1)
            #expect(counter.told == ["Blue: L-424"] && !CopyPart.isUnfinished(in: desk.music))
            await counter.stop()
          }
        }
      }
      if isEnd { #expect(try await desk.goOn().count == 1) }
      #expect(!(try CopyDesk.tree(desk.music)).keys.contains { $0.hasPrefix("/.") })
      if isEnd { try desk.expectSame() }
    }
  }
}
