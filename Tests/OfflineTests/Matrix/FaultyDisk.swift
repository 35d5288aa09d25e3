import Files
import Kit
import Runtime
import Synchronization

@testable import Offline

/// A disk on which one download's files fail at the call that is named, and all other files do not.
final class FaultyDisk: MediaDisk {
  enum Call: String, CaseIterable { case open, length, makeFolder, cut, allocate, space, write, sync, place, read }

  enum Effect: Sendable {
    case says(Fault)
    case isFull
    /// The power goes before the call, or right after it was done.
    case dies(afterwards: Bool)
  }

  struct Rule: Sendable {
    var call: Call
    var effect: Effect
    /// Calls of that kind that go well first.
    var skipping = 0
    var times = 1
  }

  private struct State {
    var rule: Rule?
    var written = 0
    var waiting: (bytes: Int, continuation: CheckedContinuation<Void, Never>)?
    /// Of the one that fails.
    var open: Set<Int32> = []
    var closing: CheckedContinuation<Void, Never>?
  }

  let inner: MemoryDisk
  private let name: MediaFolder.Name
  private let died: @Sendable () -> Void
  private let state = Mutex(State())

  init(_ inner: MemoryDisk, failing name: MediaFolder.Name, died: @escaping @Sendable () -> Void) {
    (self.inner, self.name, self.died) = (inner, name, died)
  }

  func set(_ rule: Rule?) { state.withLock { $0.rule = rule } }

  /// Until so many bytes of the one that fails were written.
  func until(written bytes: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state -> Bool in
        if state.written < bytes { state.waiting = (bytes, continuation) }
        return state.written >= bytes
      }
      if isThere { continuation.resume() }
    }
  }

  /// What was begun with it before is over; a fault that comes now hits what comes next.
  func untilClosed() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state -> Bool in
        if !state.open.isEmpty { state.closing = continuation }
        return !state.open.isEmpty
      }
      if !isOpen { continuation.resume() }
    }
  }

  func cutPower() {
    guard !inner.isDead else { return }
    inner.fail(1, .dies(afterwards: false))
    do throws(Fault) { _ = try inner.length(of: -1, FilePath("/")) } catch {}
    died()
  }

  private func isFailing(_ path: FilePath) -> Bool {
    String(decoding: path.bytes, as: UTF8.self).contains("/" + name.folder)
  }

  private func effect(of call: Call, _ path: FilePath) -> Effect? {
    guard isFailing(path) else { return nil }
    return state.withLock { state in
      guard var rule = state.rule, rule.call == call, rule.times > 0 else { return nil }
      if rule.skipping > 0 { rule.skipping -= 1 } else { rule.times -= 1 }
      let strikes = state.rule?.skipping == 0
      state.rule = rule
      return strikes ? rule.effect : nil
    }
  }

  private func run<Result>(
    _ call: Call, _ path: FilePath, _ action: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    switch effect(of: call, path) {
    case .says(let fault)?: throw fault
    case .dies(let afterwards)? where !inner.isDead:
      inner.fail(1, .dies(afterwards: afterwards))
      defer { died() }
      return try action()
    default: return try action()
    }
  }

  // MARK: The calls

  func open(_ path: FilePath, making: Bool) throws(Fault) -> Int32? {
    let file = try run(.open, path) { () throws(Fault) in try inner.open(path, making: making) }
    if let file, isFailing(path) { state.withLock { _ = $0.open.insert(file) } }
    return file
  }

  func close(_ file: Int32) {
    inner.close(file)
    let closing = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.open.remove(file) != nil, state.open.isEmpty else { return nil }
      return state.closing.take()
    }
    closing?.resume()
  }

  func length(of file: Int32, _ path: FilePath) throws(Fault) -> Int64 {
    try run(.length, path) { () throws(Fault) in try inner.length(of: file, path) }
  }

  func allocate(_ file: Int32, _ length: Int64, _ path: FilePath) throws(Fault) {
    try run(.allocate, path) { () throws(Fault) in try inner.allocate(file, length, path) }
  }

  func names(in folder: FilePath, most: Int) throws(Fault) -> [FilePath] { try inner.names(in: folder, most: most) }

  func read(
    _ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, code: String, _ path: FilePath
  ) throws(Fault) -> Int {
    try run(.read, path) { () throws(Fault) in try inner.read(file, at: offset, into: buffer, code: code, path) }
  }

  func write(_ file: Int32, at offset: Int64, _ bytes: UnsafeRawBufferPointer, _ path: FilePath) throws(Fault) {
    try run(.write, path) { () throws(Fault) in try inner.write(file, at: offset, bytes, path) }
    guard isFailing(path) else { return }
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.written = Int(offset) + bytes.count
      guard let waiting = state.waiting, state.written >= waiting.bytes else { return nil }
      state.waiting = nil
      return waiting.continuation
    }
    waiting?.resume()
  }

  func cut(_ file: Int32, to length: Int64, _ path: FilePath) throws(Fault) {
    try run(.cut, path) { () throws(Fault) in try inner.cut(file, to: length, path) }
  }

  func sync(_ file: Int32, _ path: FilePath) throws(Fault) {
    try run(.sync, path) { () throws(Fault) in try inner.sync(file, path) }
  }

  func drop(_ file: Int32, _ range: Range<Int64>) {}

  func makeFolder(_ folder: FilePath) throws(Fault) {
    try run(.makeFolder, folder) { () throws(Fault) in try inner.makeFolder(folder) }
  }

  func place(_ part: FilePath, as path: FilePath) throws(Fault) -> Bool {
    try run(.place, part) { () throws(Fault) in try inner.place(part, as: path) }
  }

  func replace(_ path: FilePath, with bytes: [UInt8]) throws(Fault) { try inner.replace(path, with: bytes) }
  func remove(_ path: FilePath) { inner.remove(path) }

  func space(at folder: FilePath) throws(Fault) -> DiskSpace {
    if case .isFull? = effect(of: .space, folder) { return DiskSpace(free: 1_000, total: 1 << 40) }
    return try inner.space(at: folder)
  }

  func rule(at folder: FilePath) -> TargetNames.Rule { .any }
}

/// Rows of which one download's fail, in the state that is named.
final class FaultyRows: DownloadRows {
  struct Rule: Sendable {
    var state: DownloadRecord.State
    var effect: FaultyDisk.Effect
    var times = 1
  }

  private let rows: Mutex<[MediaKey: DownloadRecord]>
  private let rule = Mutex<Rule?>(nil)
  private let key: MediaKey
  private let disk: FaultyDisk
  private let refused: @Sendable () -> Void

  init(
    _ rows: [MediaKey: DownloadRecord], failing key: MediaKey, with disk: FaultyDisk,
    refused: @escaping @Sendable () -> Void
  ) {
    self.rows = Mutex(rows)
    (self.key, self.disk, self.refused) = (key, disk, refused)
  }

  func set(_ rule: Rule?) { self.rule.withLock { $0 = rule } }
  var all: [MediaKey: DownloadRecord] { rows.withLock { $0 } }

  func store(_ record: DownloadRecord) async throws(Fault) {
    let gone = Fault(.passing, "T-9", "the power is gone")
    if disk.inner.isDead { throw gone }
    let effect = rule.withLock { rule -> FaultyDisk.Effect? in
      guard record.key == key, let now = rule, now.state == record.state, now.times > 0 else { return nil }
      rule?.times -= 1
      return now.effect
    }
    switch effect {
    case .says(let fault)?:
      refused()
      throw fault
    case .dies(afterwards: true)?:
      rows.withLock { $0[record.key] = record }
      disk.cutPower()
      throw gone
    case .dies(afterwards: false)?:
      disk.cutPower()
      throw gone
    default: rows.withLock { $0[record.key] = record }
    }
  }
}
