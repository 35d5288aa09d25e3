import Runtime

/// The queue that was replaced last, for whoever wants it back: its files in the order in which it was put together,
/// which of them was played and where in it, and the order of the round where it was shuffled. It may have 10,000 files
/// that nobody asks for, so each part is one piece of memory, and one value in the store.
package struct FormerQueue: Equatable, Sendable {
  /// The paths, with a zero byte between two of them.
  let bytes: [UInt8]
  /// From 0.
  package let index: Int
  /// In that file, to the millisecond, as it is stored.
  package let place: Duration
  /// Of a shuffled queue: in which order its files are played, each as its index; nil where they are played as they
  /// were put together.
  let order: [UInt16]?
  package let count: Int
  /// The one that was played. It is looked for once: whoever shows it asks often.
  package let current: FilePath?

  package init(_ files: [FilePath], index: Int, at place: Duration = .zero, shuffled order: [Int]? = nil) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(files.reduce(0) { $0 + $1.bytes.count + 1 })
    for (place, file) in files.enumerated() {
      if place > 0 { bytes.append(0) }
      bytes += file.bytes
    }
    self.init(bytes: bytes, index: index, at: place, order: order?.compactMap { UInt16(exactly: $0) })
  }

  /// As it was stored.
  init(bytes: [UInt8], index: Int, at place: Duration = .zero, order: [UInt16]? = nil) {
    self.bytes = bytes
    self.index = index
    self.place = .milliseconds(max(place.milliseconds, 0))
    self.order = order
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

  /// `place`: where it was in the current entry. The queue's first entry is played where nobody knows which one was.
  init(_ queue: PlayQueue, at current: EntryID?, _ place: Duration) {
    let index = current.flatMap { queue.base.place(of: $0) }
    self.init(
      queue.entries.map(\.path), index: index ?? 0, at: index == nil ? .zero : place,
      shuffled: queue.isShuffled ? queue.orderAsPutTogether : nil)
  }

  /// Nil where nothing of it lies elsewhere.
  func readdressed(_ places: [FilePath: FilePath]) -> FormerQueue? {
    let (old, new) = (files, files.map { places[$0] ?? $0 })
    return old == new ? nil : FormerQueue(new, index: index, at: place, shuffled: order?.map { Int($0) })
  }

  package var files: [FilePath] { bytes.split(separator: 0).compactMap { FilePath(bytes: $0) } }
}
