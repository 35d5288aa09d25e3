import Runtime
import Services

/// An item as its source names it, at whatever quality.
package struct ItemKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let exactSource: ExactText
  private let exactItem: ExactText

  package var source: String { exactSource.text }
  package var item: String { exactItem.text }

  package init(source: String, item: String) {
    exactSource = ExactText(source)
    exactItem = ExactText(item)
  }

  package func at(_ quality: Quality) -> MediaKey { MediaKey(item: self, quality: quality) }

  package static func < (left: Self, right: Self) -> Bool {
    (left.exactSource, left.exactItem) < (right.exactSource, right.exactItem)
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
    /// Made on this device, and shall be on it; of each source what it has of that playlist. Its id is the name.
    case devicePlaylist = "device-playlist"
    /// What predictors chose; see `Prediction`.
    case predicted
    /// What was streamed, and nobody asked to keep.
    case cache
  }

  private let exactSource: ExactText
  package let kind: Kind
  private let exactID: ExactText

  package var source: String { exactSource.text }
  package var id: String { exactID.text }

  package init(source: String, kind: Kind, id: String) {
    exactSource = ExactText(source)
    self.kind = kind
    exactID = ExactText(id)
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.exactSource, left.kind.rawValue, left.exactID) < (right.exactSource, right.kind.rawValue, right.exactID)
  }

  package var description: String { "\(kind.rawValue) \(source):\(id)" }
}

/// Sources know it as well: they say which they have.
package typealias Quality = Services.Quality

/// How an item stands where files stand otherwise, in the queue and on the command line: `source:kiosk/far/1.mp3`. No file
/// is called so there, for those begin with a slash.
extension ItemKey {
  private static let beginning = Array("source:".utf8)
  private static let slash = UInt8(ascii: "/")

  package var address: FilePath { FilePath("source:\(source)/\(item)") }

  /// Nil for a file.
  package init?(address: FilePath) {
    guard address.bytes.starts(with: Self.beginning) else { return nil }
    let rest = address.bytes.dropFirst(Self.beginning.count)
    guard let end = rest.firstIndex(of: Self.slash), end > rest.startIndex, end + 1 < rest.endIndex,
      let source = String(validating: rest[..<end], as: UTF8.self),
      let item = String(validating: rest[(end + 1)...], as: UTF8.self)
    else { return nil }
    self.init(source: source, item: item)
  }
}
