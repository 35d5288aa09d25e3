import Glibc
import Hardware
import Library
import Runtime

/// Copies to the device, wired: where music may come from, and what becomes of it.
extension House {
  func keepCopies(_ catalogue: Catalogue, _ imports: ImportPart, on loop: EventLoop) async -> CopyPart {
    let copies = CopyPart(to: settings[.musicPath] ?? statePath / "music", on: loop)
    copies.sources = { () async throws(Fault) in
      let folders = try await catalogue.sources().filter { $0.kind == .folder && $0.isPresent }
      return self.sticks.sticks.map(\.wish) + folders.map { ImportPart.Wish(folder: $0.root) }
    }
    copies.tell = { [unowned copies] news in self.hear(news, copies, imports) }
    await supervisor.keep(copies, when: .restart)
    return copies
  }

  /// When the library is open: what was broken off goes on, a stick's when the stick is there. Whether there is any is
  /// asked where a disk may be waited for; most days there is none.
  func takeUpCopies(
    _ copies: CopyPart, _ catalogue: Catalogue, _ imports: ImportPart, _ disk: EventLoop
  ) async {
    let music = copies.music
    do throws(Fault) {
      // A power cut between the copy and its import.
      let isKnown = try await catalogue.sources().contains { $0.root == music }
      if !isKnown, await disk.perform({ music.withCString { access($0, R_OK) } == 0 }) {
        imports.add(ImportPart.Wish(folder: music))
      }
      if await disk.perform({ CopyPart.isUnfinished(in: music) }) { try await copies.takeUp() }
    } catch { notices.post(Notice(error, instead: "copies that were broken off are not gone on with")) }
    let box = Mailbox<StickEvent>(limit: 256)
    sticks.follow(box)
    Deck.start {
      while let event = await box.receive() {
        switch event {
        case .came(let stick): copies.came(stick.wish)
        case .went(let stick): copies.went(key: stick.wish.key)
        case .refused: break
        }
      }
    }
  }

  private func hear(_ news: CopyPart.News, _ copies: CopyPart, _ imports: ImportPart) {
    switch news {
    case .ended(let wish, .success(let done)):
      guard done.phase == .done else { return }
      if done.failed > 0 {
        let message = "\(wish.from.label): \(done.files - done.failed) files are on the device, \(done.failed) are not"
        notices.post(Notice("L-441", "\(message) (layby copy says which)."))
      } else {
        let size = CopySpace.shown(done.bytes)
        notices.post(Notice("L-440", "\(wish.from.label): \(done.files) files (\(size)) are on the device."))
      }
    case .ended(_, .failure(let fault)):
      notices.post(Notice(fault, instead: "what was copied whole is on the device"))
    case .away(let wish, let fault):
      notices.post(Notice("L-442", "\(fault.message); the copy goes on when it is there again"))
      // It came back before it was missed.
      if let stick = sticks.sticks.map(\.wish).first(where: { $0.kind == wish.from.kind && $0.key == wish.from.key }) {
        Deck.start {
          await Deck.loop.sleep(for: .seconds(5))
          if self.sticks.sticks.contains(where: { $0.wish == stick }) { copies.came(stick) }
        }
      }
    }
    // Also what is there of a copy that ended early.
    imports.add(ImportPart.Wish(folder: copies.music))
  }
}
