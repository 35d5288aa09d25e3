import Application
import Library
import Runtime

/// `library forget SOURCE`: one that is away for good. Recordings keep their counts and their places in playlists.
extension LibraryService {
  func forget(_ name: JSON, _ verb: Verb) async throws(Fault) -> JSON {
    let source = try Self.source(name, among: try await catalogue.sources())
    await imports.end(kind: source.kind, key: source.key)
    let gone = try await catalogue.forget(source: source.id)
    return Answer.done([
      (
        "forgot",
        [
          "id": JSON(source.id), "label": JSON(source.label), "root": JSON(path: source.root),
          "files": JSON(gone.files),
          "folders": JSON(gone.folders), "playlists": JSON(gone.playlists),
        ]
      )
    ])
  }

  /// By its number, its path or its label.
  nonisolated static func source(_ name: JSON, among sources: [Source]) throws(Fault) -> Source {
    let text = name.string ?? ""
    let number = name.whole ?? Int64(text)
    if let found = sources.first(where: { $0.id == number }) ?? sources.first(where: { $0.root == name.path }) {
      return found
    }
    let found = sources.filter { $0.label == text }
    if found.count == 1 { return found[0] }
    let all = (found.isEmpty ? sources : found).map { "\($0.id) \(shownPlain($0.label)) (\($0.root))" }
    let list = all.isEmpty ? "none" : all.joined(separator: ", ")
    guard found.isEmpty else {
      throw Fault(.malformed, "X-171", "\(found.count) sources are called \(shownBriefly(text)); say which: \(list)")
    }
    throw Fault(.missing, "X-170", "the library knows no source \(shownBriefly(text)); it knows \(list)")
  }
}
