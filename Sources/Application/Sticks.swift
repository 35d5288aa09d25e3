import Hardware
import Library
import Runtime

/// USB sticks: which are in, which cannot be read, and pulling one that is in use.
@MainLoop
package final class Sticks {
  /// One that is in.
  package struct Row: Sendable {
    package let stick: Stick
    /// The library's number of its folder; nil when it was not taken in.
    package let folder: Int64?
    /// It may be pulled, and is still in.
    package let isEjected: Bool
  }

  private let part: SticksPart
  private let browsing: Browsing?
  private let importing: Importing?
  /// Places of those that may be pulled, and are still in.
  private var ejected: Set<FilePath> = []

  package init(_ part: SticksPart, _ browsing: Browsing?, _ importing: Importing?) {
    (self.part, self.browsing, self.importing) = (part, browsing, importing)
  }

  package var there: [Stick] { part.sticks }
  package var refused: [RefusedStick] { part.refused }
  /// How many are in and in use.
  package var count: Int { there.count { !ejected.contains($0.root) } }

  /// Those that are in, with what the library knows of them.
  package func lines() async -> [Row] {
    var lines: [Row] = []
    for stick in there {
      let folder = try? await browsing?.folder(at: stick.root)  // without it the row cannot be opened, and is shown
      lines.append(Row(stick: stick, folder: folder, isEjected: ejected.contains(stick.root)))
    }
    return lines
  }

  /// Stops imports and copies from this stick, so that it can be pulled. Those from other sticks go on.
  /// Returns the stick; nil when none is at this place any more.
  package func eject(at root: FilePath) async -> Stick? {
    guard let stick = there.first(where: { $0.root == root }) else { return nil }
    await importing?.leave(stick.wish)
    ejected.insert(stick.root)
    return stick
  }

  /// It came or went: whatever is at its place now was not ejected.
  package func changed(_ stick: Stick) { ejected.remove(stick.root) }
}

extension Stick {
  /// As the library knows it: by its own identity, wherever it is put in. One that has none is known as long as it is in.
  package var wish: ImportPart.Request {
    let label = label.isEmpty ? "stick" : label
    guard let identity else { return ImportPart.Request(passing: .stick, label: label, root: root) }
    return ImportPart.Request(kind: .stick, key: Array(identity.utf8), label: label, root: root)
  }
}
