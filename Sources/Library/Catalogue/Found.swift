import Runtime

/// A file as the walk saw it: with it the next walk tells whether it is still the same.
package struct FileFacts: Equatable, Sendable {
  /// As `Catalogue.folder` gave it.
  package var folder: Int64
  /// As the kernel gave it, without slashes.
  package var name: [UInt8]
  package var size: Int64
  package var modified: Int64

  package init(folder: Int64, name: [UInt8], size: Int64, modified: Int64) {
    self.folder = folder
    self.name = name
    self.size = size
    self.modified = modified
  }
}

/// What a file turned out to be.
package struct Found: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    case music(Metadata, ContentKey?)
    /// A sentence for people.
    case unreadable(String)
  }

  package var facts: FileFacts
  package var outcome: Outcome

  package init(_ facts: FileFacts, _ outcome: Outcome) {
    self.facts = facts
    self.outcome = outcome
  }
}

/// A playlist that lies as a file beside the music.
package struct FoundPlaylist: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    /// Nil when what is written leads nowhere.
    package var file: Int64?
    package var written: [UInt8]
    package var title: String?
    /// Who plays a track of a cue sheet, where the sheet says it of the track or of all.
    package var artist: String?
    package var begins: Duration?

    package init(
      file: Int64?, written: [UInt8], title: String? = nil, artist: String? = nil, begins: Duration? = nil
    ) {
      self.file = file
      self.written = written
      self.title = title
      self.artist = artist
      self.begins = begins
    }
  }

  package var facts: FileFacts
  package var title: String
  package var entries: [Entry]
  package var problem: String?

  package init(_ facts: FileFacts, title: String, entries: [Entry], problem: String? = nil) {
    self.facts = facts
    self.title = title
    self.entries = entries
    self.problem = problem
  }
}

/// What is known of a name in a folder.
package struct Known: Equatable, Sendable {
  package enum Kind: Sendable { case file, playlist }

  package let id: Int64
  package let kind: Kind
  package let size: Int64
  package let modified: Int64

  package func isStill(_ facts: FileFacts) -> Bool { size == facts.size && modified == facts.modified }
}

/// A stick, a folder or the store: where files come from, and what can be away with them.
package struct Source: Equatable, Sendable {
  package enum Kind: Int64, Sendable {
    case stick = 0
    case folder = 1
    case store = 2
  }

  package let id: Int64
  package let kind: Kind
  /// The file system's UUID, or the path.
  package let key: [UInt8]
  package let label: String
  package let root: FilePath
  package let isPresent: Bool

  package init(id: Int64, kind: Kind, key: [UInt8], label: String, root: FilePath, isPresent: Bool) {
    self.id = id
    self.kind = kind
    self.key = key
    self.label = label
    self.root = root
    self.isPresent = isPresent
  }
}
