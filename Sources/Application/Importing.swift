import Library
import Runtime

/// Importing music into the library, and correcting what it knows.
@MainLoop
package final class Importing {
  package struct State: Sendable {
    package let isRunning: Bool
    /// How many folders and sticks wait.
    package let waiting: Int
    package let progress: ImportProgress?
    /// Why the last import ended early.
    package let fault: Fault?
  }

  let catalogue: Catalogue
  private let imports: ImportPart
  let copies: CopyPart

  package init(_ catalogue: Catalogue, _ imports: ImportPart, _ copies: CopyPart) {
    (self.catalogue, self.imports, self.copies) = (catalogue, imports, copies)
  }

  package var state: State {
    State(
      isRunning: imports.isRunning || !imports.waiting.isEmpty, waiting: imports.waiting.count,
      progress: imports.progress, fault: imports.lastFault)
  }

  /// Starts imports of folders. It does not wait for their end.
  package func start(_ folders: [FilePath]) async throws(Fault) {
    for folder in folders { try await imports.add(folder: folder) }
  }

  package func stop() { imports.stop() }

  /// Sets the text encoding of a folder's tags where the guess was wrong; nil lets it be guessed again.
  package func setEncoding(_ encoding: TextEncoding?, of path: FilePath) async throws(Fault) {
    guard let folder = try await catalogue.folder(at: path) else {
      throw Fault(.missing, "X-180", "\(path) is in no folder that was imported")
    }
    try await catalogue.setEncoding(encoding, of: folder)
    try await imports.add(folder: path)
  }

  /// Removes a source that is gone for good. Recordings keep their play counts and their places in playlists.
  package func forget(_ source: Source) async throws(Fault) -> Catalogue.Forgotten {
    await imports.end(kind: source.kind, key: source.key)
    return try await catalogue.forget(source: source.id)
  }

  /// Ends imports and copies from this stick. Those from other sticks go on.
  package func leave(_ stick: ImportPart.Request) async {
    imports.forgetWish(key: stick.key)
    await imports.end(kind: stick.kind, key: stick.key)
    await copies.stop(from: stick.root)
  }
}
