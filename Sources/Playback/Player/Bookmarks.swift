import Runtime

/// Where long pieces were left, by file: the file may stand in the queue twice, or come back next week. Bounded; the one
/// that was not touched for longest is forgotten first.
package struct Bookmarks: Equatable, Sendable {
  package struct Mark: Equatable, Sendable {
    package let path: FilePath
    package let place: Duration

    package init(path: FilePath, place: Duration) {
      self.path = path
      self.place = place
    }
  }

  package static let limit = 500
  /// To find the thread again.
  package static let repeated: Duration = .seconds(5)
  /// Nearer to an end than this nobody would look for it.
  package static let margin: Duration = .seconds(10)

  /// What was touched last comes last.
  package private(set) var marks: [Mark]

  package init(_ marks: [Mark] = []) { self.marks = Array(marks.suffix(Self.limit)) }

  package func place(of path: FilePath) -> Duration? { marks.last { $0.path == path }?.place }

  /// Where to begin; nil is its beginning.
  package func start(of path: FilePath) -> Duration? {
    place(of: path).flatMap { $0 > Self.repeated ? $0 - Self.repeated : nil }
  }

  mutating func put(_ path: FilePath, at place: Duration) {
    marks.removeAll { $0.path == path }
    if marks.count == Self.limit { marks.removeFirst() }
    marks.append(Mark(path: path, place: place))
  }

  /// False when there was none.
  mutating func remove(_ path: FilePath) -> Bool {
    let before = marks.count
    marks.removeAll { $0.path == path }
    return marks.count < before
  }
}
