import Glibc
import Library
import Remote
import Runtime

/// The library, wired: what brings music into it, and what asks it.
extension House {
  /// Nil where nothing can be remembered.
  func keepLibrary(_ storage: Storage) async throws(Fault) -> LibraryService? {
    guard let catalogue = storage.catalogue else { return nil }
    let loop = try EventLoop("work", mayBlock: true)
    try loop.start(priority: .idle)
    let imports = ImportPart(into: catalogue, on: loop, date: { Int64(time(nil)) })
    imports.tell = { news in self.hear(news) }
    await supervisor.keep(imports, when: .restart)
    return LibraryService(catalogue, imports)
  }

  private func hear(_ news: ImportPart.News) {
    guard case .ended(let wish, let result) = news else { return }
    switch result {
    case .success(let done) where done.read > 0:
      let unreadable = done.unreadable > 0 ? ", \(done.unreadable) cannot be read" : ""
      notices.post(Notice("L-410", "\(wish.label): \(done.seen) tracks\(unreadable)."))
    case .success: break
    case .failure(let fault): notices.post(Notice(fault, instead: "what was read before is kept"))
    }
  }
}
