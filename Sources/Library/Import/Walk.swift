import Runtime

/// From folder to folder below a root, in the order in which they are given, each before those within it. It holds the way ahead, not
/// the tree: names of folders that were seen and not yet entered.
package struct Walk: Sendable {
  /// A folder below the root: the names that lead there.
  package struct Step: Equatable, Sendable {
    package var names: [[UInt8]]
  }

  /// A tree that is deeper is no collection of music; a loop on a damaged stick ends here too.
  package static let deepest = 60
  /// Folders in all. A loop that branches ends here.
  package static let mostFolders = 200_000

  package let root: FilePath
  /// The next one is the last.
  private var ahead: [Step] = [Step(names: [])]
  package private(set) var entered = 0
  /// Folders that were not entered for being too deep, too many, or of a path that is too long.
  package private(set) var left = 0

  package init(_ root: FilePath) { self.root = root }

  package mutating func next() -> Step? {
    guard let step = ahead.popLast() else { return nil }
    entered += 1
    return step
  }

  /// Goes on into the folders of the one that was just given.
  package mutating func goOn(into folders: [[UInt8]], of step: Step) {
    guard !folders.isEmpty else { return }
    guard step.names.count < Self.deepest else {
      left += folders.count
      return
    }
    for name in folders.reversed() {
      let inner = Step(names: step.names + [name])
      guard entered + ahead.count < Self.mostFolders, path(of: inner).bytes.count < FilePath.limit - 256 else {
        left += 1
        continue
      }
      ahead.append(inner)
    }
  }

  package func path(of step: Step) -> FilePath {
    var bytes = root.bytes
    if bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    for name in step.names { bytes += [UInt8(ascii: "/")] + name }
    return FilePath(bytes: bytes) ?? root
  }
}
