import Formats
import Runtime

/// Reads music files one after the other and makes facts for the catalogue of them. `ContainerReader` gives the texts
/// as bytes; which encoding they have is guessed here. One reader belongs to one thread; the import has several
/// (`ReaderTeam`).
package struct MetadataReader {
  private var container = ContainerReader()

  package init() {}

  /// The texts of the last file whose encoding is not declared; nil when there are none, or an encoding was forced. One
  /// file may have few of them; a folder has more, which makes the guess better.
  package private(set) var undeclared: UndeclaredTexts?

  /// Reads `file`, an open descriptor whose position does not matter. It throws `.unsupported` when the file holds no
  /// music of a known kind, whatever its name is.
  /// - Parameters:
  ///   - forced: the encoding of undeclared texts, when the owner has chosen one.
  ///   - neighbours: how likely the other files of the folder make each encoding, for texts that are doubtful.
  package mutating func read(
    _ file: Int32, size: Int64, name: FilePath, encoding forced: TextEncoding? = nil,
    neighbours: EncodingShares = .usual
  ) throws(Fault) -> Metadata {
    undeclared = nil
    let sound = try container.read(file, size: size, name: name)
    var found = Metadata(sound)
    undeclared = container.texts.settle(
      into: &found, forced: forced, neighbours, takingNote: sound.believesGaplessNote)
    if found.kind == .music, Self.isBook(name) { found.kind = .book }
    return found
  }

  private static func isBook(_ name: FilePath) -> Bool {
    let end = name.bytes.suffix(4)
    return end.elementsEqual(".m4b".utf8) || end.elementsEqual(".M4B".utf8)
  }
}
