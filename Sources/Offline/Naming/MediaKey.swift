/// An item as its source names it, at whatever quality.
package struct ItemKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let source: String
  package let item: String

  package init(source: String, item: String) {
    self.source = source
    self.item = item
  }

  package func at(_ quality: Quality) -> MediaKey { MediaKey(item: self, quality: quality) }

  package static func < (left: Self, right: Self) -> Bool {
    (left.source, left.item) < (right.source, right.item)
  }

  package var description: String { "\(source):\(item)" }
}

/// What is fetched and kept: an item of a source at a quality. Never its address, which changes with every visit.
package struct MediaKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let item: ItemKey
  package let quality: Quality

  package init(item: ItemKey, quality: Quality) {
    self.item = item
    self.quality = quality
  }

  package init(source: String, item: String, quality: Quality) {
    self.init(item: ItemKey(source: source, item: item), quality: quality)
  }

  package var source: String { item.source }

  package static func < (left: Self, right: Self) -> Bool {
    (left.item, left.quality) < (right.item, right.quality)
  }

  package var description: String { "\(item) (\(quality.words))" }
}

/// Something of a source that holds items and can be wanted as a whole; a single track is one too.
package struct ContainerKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  package enum Kind: String, Sendable, CaseIterable {
    case track, playlist, album, artist, podcast, episode
    /// What predictors chose; see `Prediction`.
    case predicted
    /// What was streamed, and nobody asked to keep.
    case cache
  }

  package let source: String
  package let kind: Kind
  package let id: String

  package init(source: String, kind: Kind, id: String) {
    self.source = source
    self.kind = kind
    self.id = id
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.source, left.kind.rawValue, left.id) < (right.source, right.kind.rawValue, right.id)
  }

  package var description: String { "\(kind.rawValue) \(source):\(id)" }
}
