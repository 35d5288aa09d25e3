import Files
import Offline
import Runtime
import TestSupport

/// A disk of files without bytes, that forgets as a real one does when the power goes: what was not synced is there, or
/// not, or rubbish of its length; what was removed may be there again.
///
/// One week's alone, on one thread.
package final class FleetDisk: MediaDisk, @unchecked Sendable {
  private final class Node {
    var content = Content()
    var synced = Content()
    /// Its name survives.
    var isNamed = false
    /// Room that was asked for beforehand.
    var claimed: Int64 = 0
    var taken: Int64 { max(content.length, claimed) }
  }

  let capacity: Int64
  /// What others have put there.
  var others: Int64 = 0
  private var files: [FilePath: Node] = [:]
  /// The names in each folder.
  private var folders: [FilePath: Set<FilePath>] = [:]
  private var removed: [(path: FilePath, node: Node)] = []
  private var open: [Int32: Node] = [:]
  private var lastFile: Int32 = 100
  private var used: Int64 = 0

  init(capacity: Int64) { self.capacity = capacity }

  var free: Int64 { max(capacity - others - used, 0) }
  /// Bytes of music, whole or not.
  var kept: Int64 { used }
  var paths: [FilePath] { Array(files.keys) }

  func content(_ path: FilePath) -> Content? { node(path)?.content }
  func synced(_ path: FilePath) -> Content { node(path)?.synced ?? Content() }

  private func node(_ path: FilePath) -> Node? { files[path] }

  private func put(_ node: Node?, at path: FilePath) {
    files[path] = node
    if node == nil {
      folders[path.folder]?.remove(path.name)
    } else {
      folders[path.folder, default: []].insert(path.name)
    }
  }

  // MARK: What a file that grows needs

  func make(_ path: FilePath) {
    if node(path) == nil { put(Node(), at: path) }
  }

  func append(_ run: Content.Run, to path: FilePath) throws(Fault) {
    guard let node = node(path) else { throw Fault(.missing, "T-1", "no \(path)") }
    let more = max(node.content.length + run.count - node.taken, 0)
    guard more <= free else { throw Fault(.full, "T-2", "the disk is full") }
    node.content.append(run)
    used += more
  }

  func cut(_ path: FilePath, to length: Int64) {
    guard let node = node(path) else { return }
    change(node) { node in
      node.content.cut(to: length)
      node.claimed = 0
    }
  }

  func claim(_ path: FilePath, _ length: Int64) {
    guard let node = node(path) else { return }
    change(node) { $0.claimed = length }
  }

  func giveBack(_ path: FilePath) {
    guard let node = node(path), node.claimed > 0 else { return }
    change(node) { $0.claimed = 0 }
  }

  /// Bytes that nobody has written, and nobody else can have.
  var setAside: Int64 { files.values.reduce(0) { $0 + max($1.claimed - $1.content.length, 0) } }

  func sync(_ path: FilePath) {
    guard let node = node(path) else { return }
    (node.synced, node.isNamed) = (node.content, true)
  }

  private func change(_ node: Node, _ action: (Node) -> Void) {
    used -= node.taken
    action(node)
    used += node.taken
  }

  // MARK: Power

  func cutPower(_ dice: inout SeededGenerator) {
    open = [:]
    for (path, node) in removed where self.node(path) == nil && dice.chance(oneIn: 2) {
      put(node, at: path)
    }
    removed = []
    // In an order of their own, so that one seed is one walk.
    for path in paths.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      guard let node = node(path) else { continue }
      if !node.isNamed, dice.chance(oneIn: 2) {
        put(nil, at: path)
        continue
      }
      let beyond = max(node.content.length - node.synced.length, 0)
      var after = node.synced
      if beyond > 0 {
        let some = Int64.random(in: 0...beyond, using: &dice)
        after.append(Content.Run(0, from: 0, count: dice.chance(oneIn: 2) ? some : 0))
      }
      // The disk remembers whose the room is.
      (node.content, node.synced, node.isNamed) = (after, after, true)
    }
    used = files.values.reduce(0) { $0 + $1.taken }
  }

  // MARK: MediaDisk

  package func open(_ path: FilePath, making: Bool) throws(Fault) -> Int32? {
    if making { make(path) }
    guard let node = node(path) else { return nil }
    lastFile += 1
    open[lastFile] = node
    return lastFile
  }

  package func close(_ file: Int32) { open[file] = nil }

  package func length(of file: Int32, _ path: FilePath) throws(Fault) -> Int64 { open[file]?.content.length ?? 0 }

  package func allocate(_ file: Int32, _ length: Int64, _ path: FilePath) throws(Fault) { claim(path, length) }

  package func names(in folder: FilePath, most: Int) throws(Fault) -> [FilePath] {
    guard let names = folders[folder] else { return [] }
    return Array(names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.prefix(most))
  }

  package func place(_ part: FilePath, as path: FilePath) throws(Fault) -> Bool {
    guard let node = node(part) else { throw Fault(.missing, "T-1", "no \(part)") }
    if self.node(path) != nil { return false }
    put(nil, at: part)
    change(node) { $0.claimed = 0 }
    put(node, at: path)
    removed = []
    return true
  }

  package func remove(_ path: FilePath) {
    guard let node = node(path) else { return }
    change(node) { $0.claimed = 0 }
    used -= node.taken
    put(nil, at: path)
    if node.isNamed { removed.append((path, node)) }
  }

  package func space(at folder: FilePath) throws(Fault) -> DiskSpace { DiskSpace(free: free, total: capacity) }
  package func rule(at folder: FilePath) -> TargetNames.Rule { .any }
  package func makeFolder(_ folder: FilePath) throws(Fault) {}
  package func drop(_ file: Int32, _ range: Range<Int64>) {}
  package func cut(_ file: Int32, to length: Int64, _ path: FilePath) throws(Fault) { cut(path, to: length) }
  package func sync(_ file: Int32, _ path: FilePath) throws(Fault) { sync(path) }

  private static let noBytes = Fault(.unsupported, "T-3", "there are no bytes here")

  package func read(
    _ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, code: String, _ path: FilePath
  ) throws(Fault) -> Int { throw Self.noBytes }

  package func write(
    _ file: Int32, at offset: Int64, _ bytes: UnsafeRawBufferPointer, _ path: FilePath
  ) throws(Fault) { throw Self.noBytes }

  package func replace(_ path: FilePath, with bytes: [UInt8]) throws(Fault) { throw Self.noBytes }
}
