import Formats
import Runtime

/// Reads what music files say of themselves, one after the other, and makes facts for the catalogue of it: the formats
/// give the texts as they stand there, and what they are written in is told here. One reader belongs to one thread.
package struct MetadataReader {
  private var container = ContainerReader()

  package init() {}

  /// Those texts of the file read last that do not say how they are written; nil when there are none, or an encoding was
  /// forced. They may be few in one file and many in a folder.
  package private(set) var undeclared: UndeclaredTexts?

  /// `file` is open for reading, of any position. A fault is `.unsupported` where the file holds no music that is known
  /// here, however it is called.
  /// - Parameters:
  ///   - forced: what somebody said that undeclared texts are written in.
  ///   - neighbours: what the files beside it make likely for undeclared texts that are doubtful.
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
