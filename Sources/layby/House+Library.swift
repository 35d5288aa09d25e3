import Glibc
import Hardware
import Library
import Playback
import Runtime

/// The library, wired: what brings music into it, what is known of how often it was played.
extension House {
  /// Nil where nothing can be remembered.
  func keepLibrary(_ storage: Storage, _ transport: Transport) async throws(Fault) -> ImportPart? {
    guard let catalogue = storage.catalogue else { return nil }
    let loop = try EventLoop("work", mayBlock: true)
    let imports = ImportPart(into: catalogue, on: loop, date: { Int64(time(nil)) })
    imports.tell = { news in self.hear(news) }
    imports.special = { path in self.sticks.sticks.first { $0.root == path }?.wish }
    transport.listened = { heard in self.remember(heard, storage, catalogue) }
    await supervisor.keep(imports, when: .restart)
    return imports
  }

  /// When the library is open: what is there now, and what changed while nobody looked.
  func welcomeSources(_ catalogue: Catalogue, _ imports: ImportPart) {
    let box = Mailbox<StickEvent>(limit: 256)
    Deck.start {
      do throws(Fault) {
        for source in try await catalogue.sources() where source.kind != .store {
          // Sticks are there when they come.
          let isThere = source.kind == .folder && source.root.withCString { access($0, R_OK) } == 0
          if source.isPresent != isThere { try await catalogue.setPresent(source.id, isThere) }
          if isThere { imports.add(ImportPart.Wish(folder: source.root)) }
        }
      } catch { self.log.warning("cannot look through the sources", ["reason": error.message]) }
      self.sticks.follow(box)
      while let event = await box.receive() { await self.take(event, catalogue, imports) }
    }
  }

  private func take(_ event: StickEvent, _ catalogue: Catalogue, _ imports: ImportPart) async {
    do throws(Fault) {
      switch event {
      case .came(let stick):
        let wish = stick.wish
        let known = try await catalogue.sources().first { $0.kind == .stick && $0.key == wish.key }
        if let known, known.isPresent, known.root != stick.root {
          // A copy of one that is in: what the one lacks is not gone from the other.
          notices.post(
            Notice("H-714", "\(stick.shownName) is the twin of one that is in; only that one is looked through"))
          return
        }
        if let known { try await catalogue.setPresent(known.id, true) }
        switch settings[.stickImport] {
        case .always: imports.add(wish)
        // What was taken in once is kept up to date; the first time somebody says so.
        case .ask where known != nil: imports.add(wish)
        case .ask:
          notices.post(Notice("H-713", "\(stick.shownName): layby import \(stick.root) takes its music in"))
        case .never: break
        }
      case .went(let stick):
        let wish = stick.wish
        let known = try await catalogue.sources().first { $0.kind == .stick && $0.key == wish.key }
        if let known, known.root == stick.root {
          imports.forgetWish(key: wish.key)
          try await catalogue.setPresent(known.id, false)
        }
      case .refused: break
      }
    } catch { log.warning("the library does not know of a stick", ["reason": error.message]) }
  }

  /// History is kept where it cannot be lost, the counts also where lists are ordered by them.
  private func remember(_ heard: History.Heard, _ storage: Storage, _ catalogue: Catalogue) {
    Deck.start {
      do throws(Fault) {
        // A library that cannot be read costs the counts, not the history.
        let key = try? await catalogue.key(at: heard.path)
        let listening = Listening(
          key, at: heard.path, begun: heard.begun, lasted: heard.lasted, isFinished: heard.isFinished)
        try await storage.session?.note(listening)
        if let key, listening.isPlay { try await catalogue.played(key, at: heard.begun) }
      } catch { self.log.warning("what was heard is not in the history", ["reason": error.message]) }
    }
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

extension Stick {
  /// As the library knows it: by its own identity, wherever it is put in.
  fileprivate var wish: ImportPart.Wish {
    let key = uuid.map { Array($0.utf8) } ?? root.bytes
    return ImportPart.Wish(kind: .stick, key: key, label: label.isEmpty ? "stick" : label, root: root)
  }
}
