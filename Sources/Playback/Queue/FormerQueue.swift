import Runtime

/// The queue that was replaced last, for whoever wants it back: its files in the order in which it was put together,
/// and which of them was played. It may have 10,000 files that nobody asks for, so it is one piece of memory, and one
/// value in the store.
package struct FormerQueue: Equatable, Sendable {
  /// The paths, with a zero byte between two of them.
  let bytes: [UInt8]
  /// From 0.
  package let index: Int
  package let count: Int
  /// The one that was played. It is looked for once: whoever shows it asks often.
  package let current: FilePath?

  package init(_ files: [FilePath], index: Int) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(files.reduce(0) { $0 + $1.bytes.count + 1 })
    for (place, file) in files.enumerated() {
      if place > 0 { bytes.append(0) }
      bytes += file.bytes
    }
    self.init(bytes: bytes, index: index)
  }

  /// As it was stored.
  init(bytes: [UInt8], index: Int) {
    self.bytes = bytes
    self.index = index
    count = bytes.isEmpty ? 0 : bytes.count { $0 == 0 } + 1
    current = Self.path(index, in: bytes)
  }

  private static func path(_ index: Int, in bytes: [UInt8]) -> FilePath? {
    var rest = bytes[...]
    for _ in 0..<max(index, 0) {
      guard let end = rest.firstIndex(of: 0) else { return nil }
      rest = rest[(end + 1)...]
    }
    return FilePath(bytes: Array(rest.prefix { $0 != 0 }))
  }

  /// The queue's first entry is played where nobody knows which one was.
  init(_ queue: PlayQueue, at current: EntryID?) {
    self.init(queue.entries.map(\.path), index: current.flatMap { queue.base.place(of: $0) } ?? 0)
  }

  /// Nil where nothing of it lies elsewhere.
  func readdressed(_ places: [FilePath: FilePath]) -> FormerQueue? {
    let (old, new) = (files, files.map { places[$0] ?? $0 })
    return old == new ? nil : FormerQueue(new, index: index)
  }

  package var files: [FilePath] { bytes.split(separator: 0).compactMap { FilePath(bytes: $0) } }
}
