import Files
import Glibc
import Kit
import Runtime
import Synchronization

@testable import Library

/// A disk on which any call can fail, once or from then on.
final class FaultyDisk: CopyDisk {
  enum Failure: Sendable {
    /// It says so, and the next call is done again.
    case says(Fault)
    /// The power goes: before the call, or right after it was done. Nothing is done from then on.
    case dies(afterwards: Bool)
    /// From the call on nothing more fits: each call says it as the kernel's disk does.
    case fills
  }

  private struct State {
    var calls = 0
    var isDead = false
    var written: Int64 = 0
    var refused = 0
    /// As far as the growing file is on the disk for certain.
    var synced: [FilePath: Int64] = [:]
    var growing: FilePath?
  }

  private let real = KernelDisk()
  private let state = Mutex(State())
  private let failing: Int?
  private let failure: Failure
  /// The program's end, when the power goes.
  let sign = StopSign()
  /// Sees what was read, and may change it.
  let seen: @Sendable (FilePath, Int64, UnsafeMutableRawBufferPointer) throws(Fault) -> Void
  let room: DiskSpace?
  /// How full it is was asked.
  private let asked: @Sendable () -> Void

  init(
    failing: Int? = nil, _ failure: Failure = .dies(afterwards: false), room: DiskSpace? = nil,
    seen: @escaping @Sendable (FilePath, Int64, UnsafeMutableRawBufferPointer) throws(Fault) -> Void = {
      (_, _, _) throws(Fault) in
    }, asked: @escaping @Sendable () -> Void = {}
  ) {
    self.failing = failing
    self.failure = failure
    self.room = room
    self.asked = asked
    self.seen = seen
  }

  var calls: Int { state.withLock { $0.calls } }
  var written: Int64 { state.withLock { $0.written } }
  /// Calls for which there was no room.
  var refused: Int { state.withLock { $0.refused } }
  var isDead: Bool { state.withLock { $0.isDead } }
  /// The file that grew when the power went, and how much of it is certain.
  var growing: (path: FilePath, synced: Int64)? {
    state.withLock { state in state.growing.map { ($0, state.synced[$0] ?? 0) } }
  }

  private static let dead = Fault(.passing, "T-9", "the power is gone")

  /// `room`: by which code the kernel's disk says that there is none; nil for a call that needs none.
  private func call<Result>(room: String? = nil, _ action: () throws(Fault) -> Result) throws(Fault) -> Result {
    if case .fills = failure {
      let isRefused = state.withLock { state -> Bool in
        state.calls += 1
        guard let failing, state.calls >= failing, room != nil else { return false }
        state.refused += 1
        return true
      }
      if isRefused, let room { throw Fault.system(room, doing: "write", errno: ENOSPC) }
      return try action()
    }
    let isIt = state.withLock { state -> Bool? in
      if state.isDead { return nil }
      state.calls += 1
      return state.calls == failing
    }
    guard let isIt else { throw Self.dead }
    guard isIt else { return try action() }
    switch failure {
    case .says(let fault): throw fault
    case .fills: return try action()
    case .dies(let afterwards):
      if afterwards { _ = try action() }
      state.withLock { $0.isDead = true }
      sign.raise()
      throw Self.dead
    }
  }

  func read(
    _ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, code: String, _ path: FilePath
  ) throws(Fault) -> Int {
    let got = try call { () throws(Fault) in try real.read(file, at: offset, into: buffer, code: code, path) }
    try seen(path, offset, UnsafeMutableRawBufferPointer(rebasing: buffer[..<got]))
    return got
  }

  func write(_ file: Int32, at offset: Int64, _ bytes: UnsafeRawBufferPointer, _ path: FilePath) throws(Fault) {
    try call(room: KernelDisk.code) { () throws(Fault) in
      try real.write(file, at: offset, bytes, path)
      state.withLock { state in
        state.written += Int64(bytes.count)
        state.growing = path
        state.synced[path] = min(state.synced[path] ?? 0, offset)
      }
    }
  }

  func cut(_ file: Int32, to length: Int64, _ path: FilePath) throws(Fault) {
    try call { () throws(Fault) in
      try real.cut(file, to: length, path)
      state.withLock { $0.synced[path] = min($0.synced[path] ?? length, length) }
    }
  }

  func sync(_ file: Int32, _ path: FilePath) throws(Fault) {
    try call(room: KernelDisk.code) { () throws(Fault) in
      try real.sync(file, path)
      var status = stat()
      fstat(file, &status)
      let size = Int64(status.st_size)
      state.withLock { $0.synced[path] = size }
    }
  }

  func drop(_ file: Int32, _ range: Range<Int64>) {}

  func makeFolder(_ folder: FilePath) throws(Fault) {
    try call(room: "R-121") { () throws(Fault) in try real.makeFolder(folder) }
  }

  func place(_ part: FilePath, as path: FilePath) throws(Fault) -> Bool {
    try call(room: "R-114") { () throws(Fault) in
      let isPlaced = try real.place(part, as: path)
      if isPlaced { state.withLock { $0.growing = nil } }
      return isPlaced
    }
  }

  func replace(_ path: FilePath, with bytes: [UInt8]) throws(Fault) {
    try call(room: "R-111") { () throws(Fault) in try real.replace(path, with: bytes) }
  }

  func remove(_ path: FilePath) {
    do throws(Fault) { try call { () throws(Fault) in real.remove(path) } } catch {}
  }

  func space(at folder: FilePath) throws(Fault) -> DiskSpace {
    asked()
    if let room { return room }
    return try call { () throws(Fault) in try real.space(at: folder) }
  }

  func rule(at folder: FilePath) -> TargetNames.Rule { .any }
}
