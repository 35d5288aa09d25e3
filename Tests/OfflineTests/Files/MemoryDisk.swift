import Files
import Runtime
import Synchronization
import TestSupport

@testable import Offline

/// A disk that forgets, as a real one does when the power goes: what was not synced is there or not, and names that were
/// not made durable are the old ones. Any call can fail.
final class MemoryDisk: MediaDisk {
  enum Failure: Sendable {
    /// It says so, once.
    case says(Fault)
    /// The power goes before the call, or right after it was done. Nothing is done from then on.
    case dies(afterwards: Bool)
  }

  /// Touched under the lock alone.
  final class Node: @unchecked Sendable {
    var bytes: [UInt8] = []
    var durable: [UInt8]?
    /// Up to where there is room for it alone.
    var allocated = 0
  }

  private struct State {
    var names: [FilePath: Node] = [:] { didSet { listed = nil } }
    /// What lies in each folder, until that changes: whoever looks for files asks hundreds of times.
    private var listed: [FilePath: [FilePath]]?
    var durable: [FilePath: Node] = [:]
    var open: [Int32: Node] = [:]
    var lastFile: Int32 = 100
    var calls = 0
    var failing: Int?
    var failure = Failure.dies(afterwards: false)
    var isDead = false
    var free: Int64 = 1 << 40
    /// Folders whose disk is not there: nothing is in them.
    var away: Set<FilePath> = []
    var leaving: (call: Int, folder: FilePath)?
    /// Folders that somebody has made a file of, or that nobody may look into.
    var unlistable: Set<FilePath> = []
    var reading: (@Sendable (_ offset: Int64) -> Void)?

    func isAway(_ path: FilePath) -> Bool { away.contains { path.bytes.starts(with: $0.bytes) } }

    mutating func names(in folder: FilePath) -> [FilePath] {
      if let listed { return listed[folder] ?? [] }
      var found: [FilePath: Set<FilePath>] = [:]
      for var path in names.keys {
        while path.folder != path, found[path.folder, default: []].insert(path.name).inserted { path = path.folder }
      }
      listed = found.mapValues { names in names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
      return listed?[folder] ?? []
    }
  }

  private let state: Mutex<State>

  init() { state = Mutex(State()) }

  /// Fails the n-th call from now on.
  func fail(_ call: Int, _ failure: Failure) {
    state.withLock { state in
      (state.failing, state.failure) = (state.calls + call, failure)
    }
  }

  func fill(leaving free: Int64) { state.withLock { $0.free = free } }

  var calls: Int { state.withLock { $0.calls } }
  var isDead: Bool { state.withLock { $0.isDead } }
  var openFiles: Int { state.withLock { $0.open.count } }
  /// But for the marks of disks.
  var names: Set<FilePath> {
    state.withLock { state in Set(state.names.keys.filter { "\($0.name)" != VolumeMark.file }) }
  }

  /// Bytes that nobody has written, and nobody else can have.
  var setAside: Int {
    state.withLock { state in state.names.values.reduce(0) { $0 + max($1.allocated - $1.bytes.count, 0) } }
  }

  /// Right before each piece is read.
  func onRead(_ action: (@Sendable (_ offset: Int64) -> Void)?) { state.withLock { $0.reading = action } }

  func makeUnlistable(_ folder: FilePath, _ isUnlistable: Bool = true) {
    state.withLock { state in
      if isUnlistable { state.unlistable.insert(folder) } else { state.unlistable.remove(folder) }
    }
  }

  /// All that the other has is here now, as if it had been mounted over what is here.
  func mount(_ other: MemoryDisk) {
    let there = other.state.withLock { state in state.names.mapValues { $0.bytes } }
    for (path, bytes) in there { put(path, bytes) }
  }

  func bytes(_ path: FilePath) -> [UInt8]? { state.withLock { $0.names[path]?.bytes } }

  /// `calls`: so many go well before.
  func takeAway(_ folder: FilePath, after calls: Int = 0) {
    state.withLock { state in
      if calls == 0 { state.away.insert(folder) } else { state.leaving = (state.calls + calls, folder) }
    }
  }

  func bringBack(_ folder: FilePath) { state.withLock { _ = $0.away.remove(folder) } }

  private static func away(_ path: FilePath) -> Fault { Fault(.missing, "T-10", "\(path) is not there") }

  /// Durably, as something that lies there.
  func put(_ path: FilePath, _ bytes: [UInt8], allocated: Int = 0) {
    state.withLock { state in
      let node = Node()
      (node.bytes, node.durable, node.allocated) = (bytes, bytes, allocated)
      (state.names[path], state.durable[path]) = (node, node)
    }
  }

  /// The power comes back. Of what was not synced any part is there, or rubbish of its length.
  func restart(_ generator: inout SeededGenerator) {
    let (dice, kept) = (Int.random(in: 0...2, using: &generator), Double.random(in: 0...1, using: &generator))
    state.withLock { state in
      Self.forget(&state, dice, kept)
      (state.isDead, state.failing) = (false, nil)
    }
  }

  /// Another disk with what this one has after the power came back: whoever still holds this one changes nothing.
  func copyAfterCut(_ generator: inout SeededGenerator) -> MemoryDisk {
    let (dice, kept) = (Int.random(in: 0...2, using: &generator), Double.random(in: 0...1, using: &generator))
    let there = state.withLock { state -> [FilePath: (bytes: [UInt8], allocated: Int)] in
      Self.forget(&state, dice, kept)
      return state.names.mapValues { ($0.bytes, $0.allocated) }
    }
    let copy = MemoryDisk()
    for (path, node) in there { copy.put(path, node.bytes, allocated: node.allocated) }
    return copy
  }

  private static func forget(_ state: inout State, _ dice: Int, _ part: Double) {
    (state.names, state.open) = (state.durable, [:])
    for node in state.names.values {
      let durable = node.durable ?? []
      let more = node.bytes.dropFirst(durable.count)
      let kept = Array(more.prefix(Int(Double(more.count) * part)))
      switch dice {
      case 0: node.bytes = durable
      case 1: node.bytes = durable + kept
      default: node.bytes = durable + [UInt8](repeating: 0, count: kept.count)
      }
      node.durable = node.bytes
    }
  }

  private static let dead = Fault(.passing, "T-9", "the power is gone")

  private func call<Result: Sendable>(
    _ action: (inout State) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    let outcome = state.withLock { state -> Swift.Result<Result, Fault> in
      if state.isDead { return .failure(Self.dead) }
      state.calls += 1
      if let (call, folder) = state.leaving, state.calls > call {
        state.away.insert(folder)
        state.leaving = nil
      }
      guard state.calls == state.failing else {
        return Swift.Result { () throws(Fault) in try action(&state) }
      }
      switch state.failure {
      case .says(let fault): return .failure(fault)
      case .dies(let afterwards):
        if afterwards { _ = Swift.Result<Result, Fault> { () throws(Fault) in try action(&state) } }
        state.isDead = true
        return .failure(Self.dead)
      }
    }
    return try outcome.get()
  }

  private static func node(_ file: Int32, _ state: State) throws(Fault) -> Node {
    guard let node = state.open[file] else { throw Fault(.malformed, "T-8", "no such file is open") }
    return node
  }

  func open(_ path: FilePath, making: Bool) throws(Fault) -> Int32? {
    try call { state throws(Fault) in
      if state.isAway(path), making { throw Self.away(path) }
      if state.isAway(path) { return nil }
      if state.names[path] == nil, making { state.names[path] = Node() }
      guard let node = state.names[path] else { return nil }
      state.lastFile += 1
      state.open[state.lastFile] = node
      return state.lastFile
    }
  }

  func close(_ file: Int32) { state.withLock { _ = $0.open.removeValue(forKey: file) } }

  func length(of file: Int32, _ path: FilePath) throws(Fault) -> Int64 {
    try call { state throws(Fault) in Int64(try Self.node(file, state).bytes.count) }
  }

  func allocate(_ file: Int32, _ length: Int64, _ path: FilePath) throws(Fault) {
    try call { state throws(Fault) in try Self.node(file, state).allocated = Int(length) }
  }

  func names(in folder: FilePath, most: Int) throws(Fault) -> [FilePath] {
    try call { state throws(Fault) in
      if state.isAway(folder) { return [] }
      if state.unlistable.contains(folder) { throw Fault(.denied, "T-11", "nobody may look into \(folder)") }
      return Array(state.names(in: folder).prefix(most))
    }
  }

  func read(
    _ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, code: String, _ path: FilePath
  ) throws(Fault) -> Int {
    state.withLock { $0.reading }?(offset)
    let bytes = try call { state throws(Fault) in try Self.node(file, state).bytes }
    let part = bytes.dropFirst(Int(offset)).prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }

  func write(_ file: Int32, at offset: Int64, _ bytes: UnsafeRawBufferPointer, _ path: FilePath) throws(Fault) {
    let new = Array(bytes)
    try call { state throws(Fault) in
      let node = try Self.node(file, state)
      let start = min(Int(offset), node.bytes.count)
      node.bytes.replaceSubrange(start..<min(start + new.count, node.bytes.count), with: new)
    }
  }

  func cut(_ file: Int32, to length: Int64, _ path: FilePath) throws(Fault) {
    try call { state throws(Fault) in
      let node = try Self.node(file, state)
      node.bytes = Array(node.bytes.prefix(Int(length)))
      node.allocated = 0
    }
  }

  /// A new file's name is durable with its bytes.
  func sync(_ file: Int32, _ path: FilePath) throws(Fault) {
    try call { state throws(Fault) in
      let node = try Self.node(file, state)
      node.durable = node.bytes
      for (name, named) in state.names where named === node { state.durable[name] = node }
    }
  }

  func drop(_ file: Int32, _ range: Range<Int64>) {}
  func makeFolder(_ folder: FilePath) throws(Fault) { try call { _ throws(Fault) in } }

  func place(_ part: FilePath, as path: FilePath) throws(Fault) -> Bool {
    try call { state throws(Fault) in
      guard let node = state.names[part] else { throw Fault(.missing, "T-7", "\(part) is not there") }
      if state.names[path] != nil { return false }
      (state.names[part], state.names[path]) = (nil, node)
      for name in state.durable.keys where state.names[name] == nil { state.durable[name] = nil }
      state.durable[path] = node
      return true
    }
  }

  func replace(_ path: FilePath, with bytes: [UInt8]) throws(Fault) {
    try call { state throws(Fault) in if state.isAway(path) { throw Self.away(path) } }
    put(path, bytes)
  }

  func remove(_ path: FilePath) {
    do throws(Fault) { try call { state throws(Fault) in if !state.isAway(path) { state.names[path] = nil } } } catch {}
  }

  func space(at folder: FilePath) throws(Fault) -> DiskSpace {
    try call { state throws(Fault) in DiskSpace(free: state.free, total: 1 << 40) }
  }

  func rule(at folder: FilePath) -> TargetNames.Rule { .any }
}
