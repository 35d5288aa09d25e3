import Hardware
import Library
import Runtime

/// USB sticks: which are plugged in, which cannot be read, and ejecting one.
@MainLoop
package final class Sticks {
  /// A stick that is plugged in.
  package struct Row: Sendable {
    package let stick: Stick
    /// The id of its folder in the library; nil when it was not imported.
    package let folder: Int64?
    /// It was ejected and is still plugged in.
    package let isEjected: Bool
  }

  private let part: SticksPart
  private let browsing: Browsing?
  private let importing: Importing?
  /// The mount points of ejected sticks that are still plugged in.
  private var ejected: Set<FilePath> = []

  package init(_ part: SticksPart, _ browsing: Browsing?, _ importing: Importing?) {
    (self.part, self.browsing, self.importing) = (part, browsing, importing)
  }

  package var there: [Stick] { part.sticks }
  package var refused: [RefusedStick] { part.refused }
  /// How many are plugged in and not ejected.
  package var count: Int { there.count { !ejected.contains($0.root) } }

  /// The sticks that are plugged in, with what the library knows of them.
  package func lines() async -> [Row] {
    var lines: [Row] = []
    for stick in there {
      let folder = try? await browsing?.folder(at: stick.root)  // without it the row cannot be opened, and is shown
      lines.append(Row(stick: stick, folder: folder, isEjected: ejected.contains(stick.root)))
    }
    return lines
  }

  /// Ejects a stick: ends imports and copies from it, so that it can be pulled. Those from other sticks go on. Returns
  /// the stick; nil when none is mounted there any more.
  package func eject(at root: FilePath) async -> Stick? {
    guard let stick = there.first(where: { $0.root == root }) else { return nil }
    await importing?.leave(stick.wish)
    ejected.insert(stick.root)
    return stick
  }

  /// Call it when a stick came or went: what is mounted there now has not been ejected.
  package func changed(_ stick: Stick) { ejected.remove(stick.root) }
}

extension Stick {
  /// The request to import it. A stick is known by the identity of its file system, wherever it is mounted; one without
  /// an identity is known only while it is plugged in.
  package var wish: ImportPart.Request {
    let label = label.isEmpty ? "stick" : label
    guard let identity else { return ImportPart.Request(passing: .stick, label: label, root: root) }
    return ImportPart.Request(kind: .stick, key: Array(identity.utf8), label: label, root: root)
  }
}
