import Files
import Glibc
import Runtime
import Synchronization

/// A disk on which calls fail as they are told to, and which is the one below it in all else: the kernel's for copies, one
/// in memory for downloads.
package final class FaultyDisk: MediaDisk {
  package enum Call: String, CaseIterable, Sendable {
    case open, length, names, makeFolder, cut, allocate, space, write, sync, place, replace, remove, read

    /// By which code the kernel's disk says that there is no room; nil for a call that needs none.
    var codeWithoutRoom: String? {
      switch self {
      case .write, .sync: KernelDisk.code
      case .makeFolder: "R-121"
      case .place: "R-114"
      case .replace: "R-111"
      case .open, .length, .names, .cut, .allocate, .space, .remove, .read: nil
      }
    }
  }

  package enum Effect: Sendable {
    /// It says so, and the next call is done again.
    case says(Fault)
    /// A disk that is asked has a kilobyte left.
    case isFull
    /// From the call on nothing more fits: each call that needs room says it as the kernel's disk does.
    case fills
    /// The power goes: before the call, or right after it was done. Nothing is done from then on.
    case dies(afterwards: Bool)
  }

  package struct Rule: Sendable {
    /// Nil: whichever.
    package var call: Call?
    package var effect: Effect
    /// Calls of that kind that go well first.
    package var skipping: Int
    package var times: Int

    package init(call: Call? = nil, effect: Effect, skipping: Int = 0, times: Int = 1) {
      (self.call, self.effect, self.skipping, self.times) = (call, effect, skipping, times)
    }
  }

  /// Sees what was read, and may change it.
  package typealias Reading =
    @Sendable (FilePath, Int64, UnsafeMutableRawBufferPointer) throws(Fault) -> Void

  private struct State {
    var rule: Rule?
    var calls = 0
    var isDead = false
    /// In all, and to the end of the file that the rule is for.
    var written: Int64 = 0
    var end = 0
    var refused = 0
    /// As far as each file is on the disk for certain.
    var synced: [FilePath: Int64] = [:]
    var growing: FilePath?
    var waiting: (bytes: Int, continuation: CheckedContinuation<Void, Never>)?
    /// Of those that fail.
    var open: Set<Int32> = []
    var closing: CheckedContinuation<Void, Never>?
  }

  private let below: any MediaDisk
  private let state: Mutex<State>
  private let isFailing: @Sendable (FilePath) -> Bool
  private let room: DiskSpace?
  private let died: @Sendable () -> Void
  private let asked: @Sendable () -> Void
  private let seen: Reading

  /// - Parameters:
  ///   - where: for which files the rule is; all others never fail.
  ///   - room: what the disk says that it has, whatever it has.
  ///   - asked: how full it is was asked.
  package init(
    _ below: any MediaDisk = KernelDisk(), _ rule: Rule? = nil,
    seen: @escaping Reading = { (_, _, _) throws(Fault) in },
    where isFailing: @escaping @Sendable (FilePath) -> Bool = { _ in true }, room: DiskSpace? = nil,
    died: @escaping @Sendable () -> Void = {}, asked: @escaping @Sendable () -> Void = {}
  ) {
    (self.below, self.isFailing, self.room) = (below, isFailing, room)
    (self.died, self.asked, self.seen) = (died, asked, seen)
    state = Mutex(State(rule: rule))
  }

  /// The kernel's, whose n-th call fails; none for nil.
  package convenience init(
    failing call: Int?, _ effect: Effect = .dies(afterwards: false), died: @escaping @Sendable () -> Void = {}
  ) {
    self.init(KernelDisk(), call.map { Rule(effect: effect, skipping: $0 - 1) }, died: died)
  }

  package func set(_ rule: Rule?) { state.withLock { $0.rule = rule } }

  package var calls: Int { state.withLock { $0.calls } }
  package var written: Int64 { state.withLock { $0.written } }
  /// Calls for which there was no room.
  package var refused: Int { state.withLock { $0.refused } }
  package var isDead: Bool { state.withLock { $0.isDead } }
  /// The file that grew when the power went, and how much of it is certain.
  package var growing: (path: FilePath, synced: Int64)? {
    state.withLock { state in state.growing.map { ($0, state.synced[$0] ?? 0) } }
  }

  /// Until so many bytes of the one that fails were written.
  package func until(written bytes: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state -> Bool in
        if state.end < bytes { state.waiting = (bytes, continuation) }
        return state.end >= bytes
      }
      if isThere { continuation.resume() }
    }
  }

  /// What was begun with it before is over; a fault that comes now hits what comes next.
  package func untilClosed() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state -> Bool in
        if !state.open.isEmpty { state.closing = continuation }
        return !state.open.isEmpty
      }
      if !isOpen { continuation.resume() }
    }
  }

  package func cutPower() {
    let isNew = state.withLock { state -> Bool in
      defer { state.isDead = true }
      return !state.isDead
    }
    if isNew { died() }
  }

  private static let dead = Fault(.passing, "T-9", "the power is gone")

  /// What the rule does to this call; nil: it is done.
  private func effect(of call: Call, _ path: FilePath) throws(Fault) -> Effect? {
    let outcome = state.withLock { state -> Result<Effect?, Fault> in
      if state.isDead { return .failure(Self.dead) }
      state.calls += 1
      guard isFailing(path), let rule = state.rule, rule.call ?? call == call, rule.times > 0 else {
        return .success(nil)
      }
      if rule.skipping > 0 {
        state.rule?.skipping -= 1
        return .success(nil)
      }
      if case .fills = rule.effect {
        guard call.codeWithoutRoom != nil else { return .success(nil) }
        state.refused += 1
      } else {
        state.rule?.times -= 1
      }
      return .success(rule.effect)
    }
    return try outcome.get()
  }

  private func run<Result>(
    _ call: Call, _ path: FilePath, whenFull full: Result? = nil, _ action: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    switch try effect(of: call, path) {
    case .says(let fault)?: throw fault
    case .fills?:
      guard let code = call.codeWithoutRoom else { return try action() }
      throw Fault.system(code, doing: "write", errno: ENOSPC)
    case .dies(let afterwards)?:
      if afterwards { _ = try action() }
      cutPower()
      throw Self.dead
    case .isFull?: if let full { return full } else { return try action() }
    case nil: return try action()
    }
  }

  // MARK: The calls

  package func open(_ path: FilePath, making: Bool) throws(Fault) -> Int32? {
    let file = try run(.open, path) { () throws(Fault) in try below.open(path, making: making) }
    if let file, isFailing(path) { state.withLock { _ = $0.open.insert(file) } }
    return file
  }

  package func close(_ file: Int32) {
    below.close(file)
    let closing = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.open.remove(file) != nil, state.open.isEmpty else { return nil }
      return state.closing.take()
    }
    closing?.resume()
  }

  package func length(of file: Int32, _ path: FilePath) throws(Fault) -> Int64 {
    try run(.length, path) { () throws(Fault) in try below.length(of: file, path) }
  }

  package func allocate(_ file: Int32, _ length: Int64, _ path: FilePath) throws(Fault) {
    try run(.allocate, path) { () throws(Fault) in try below.allocate(file, length, path) }
  }

  package func names(in folder: FilePath, most: Int) throws(Fault) -> [FilePath] {
    try run(.names, folder) { () throws(Fault) in try below.names(in: folder, most: most) }
  }

  package func read(
    _ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, code: String, _ path: FilePath
  ) throws(Fault) -> Int {
    let got = try run(.read, path) { () throws(Fault) in
      try below.read(file, at: offset, into: buffer, code: code, path)
    }
    try seen(path, offset, UnsafeMutableRawBufferPointer(rebasing: buffer[..<got]))
    return got
  }

  package func write(
    _ file: Int32, at offset: Int64, _ bytes: UnsafeRawBufferPointer, _ path: FilePath
  ) throws(Fault) {
    try run(.write, path) { () throws(Fault) in
      try below.write(file, at: offset, bytes, path)
      state.withLock { state in
        state.written += Int64(bytes.count)
        state.growing = path
        state.synced[path] = min(state.synced[path] ?? 0, offset)
      }
    }
    guard isFailing(path) else { return }
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.end = Int(offset) + bytes.count
      guard let waiting = state.waiting, state.end >= waiting.bytes else { return nil }
      state.waiting = nil
      return waiting.continuation
    }
    waiting?.resume()
  }

  package func cut(_ file: Int32, to length: Int64, _ path: FilePath) throws(Fault) {
    try run(.cut, path) { () throws(Fault) in
      try below.cut(file, to: length, path)
      state.withLock { $0.synced[path] = min($0.synced[path] ?? length, length) }
    }
  }

  package func sync(_ file: Int32, _ path: FilePath) throws(Fault) {
    try run(.sync, path) { () throws(Fault) in
      try below.sync(file, path)
      let size = try below.length(of: file, path)
      state.withLock { $0.synced[path] = size }
    }
  }

  package func drop(_ file: Int32, _ range: Range<Int64>) {}

  package func makeFolder(_ folder: FilePath) throws(Fault) {
    try run(.makeFolder, folder) { () throws(Fault) in try below.makeFolder(folder) }
  }

  package func place(_ part: FilePath, as path: FilePath) throws(Fault) -> Bool {
    try run(.place, part) { () throws(Fault) in
      let isPlaced = try below.place(part, as: path)
      if isPlaced { state.withLock { $0.growing = nil } }
      return isPlaced
    }
  }

  package func replace(_ path: FilePath, with bytes: [UInt8]) throws(Fault) {
    try run(.replace, path) { () throws(Fault) in try below.replace(path, with: bytes) }
  }

  package func remove(_ path: FilePath) {
    do throws(Fault) { try run(.remove, path) { () throws(Fault) in below.remove(path) } } catch {}
  }

  package func space(at folder: FilePath) throws(Fault) -> DiskSpace {
    asked()
    if let room { return room }
    return try run(.space, folder, whenFull: DiskSpace(free: 1_000, total: 1 << 40)) { () throws(Fault) in
      try below.space(at: folder)
    }
  }

  package func rule(at folder: FilePath) -> TargetNames.Rule { .any }
}
