import Application
import Files
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
      return self.sticks.sticks.map(\.wish) + folders.map { ImportPart.Request(folder: $0.root) }
    }
    copies.isSafe = !outset.rights.allows(.copyMusic)
    copies.tell = { news in self.hear(news) }
    // `copies` itself calls this.
    copies.placed = { [unowned copies] in self.lookThrough(copies.music, imports) }
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
      if !isKnown, outset.rights.allows(.importMusic),
        await disk.perform({ music.withCString { access($0, R_OK) } == 0 })
      {
        try await imports.add(folder: music)
      }
      if await disk.perform({ CopyPart.isUnfinished(in: music) }) {
        if outset.rights.allows(.copyMusic) {
          try await copies.takeUp()
        } else {
          notices.post(Notice("L-444", "Copies that were broken off wait for a start that is not in safe mode."))
        }
      }
    } catch { notices.post(Notice(error, instead: "copies that were broken off are not gone on with")) }
    let box = Mailbox<StickEvent>(limit: 256)
    sticks.follow(box)
    MainLoop.start {
      while let event = await box.receive() {
        switch event {
        case .came(let stick): copies.came(stick.wish)
        case .went(let stick): copies.went(stick.wish)
        case .refused, .refusalEnded: break
        }
      }
    }
  }

  /// Also what is there of a copy that ended early. Where it lies in a folder that was imported it is no source of its
  /// own: each track would stand there twice.
  private func lookThrough(_ music: FilePath, _ imports: ImportPart) {
    MainLoop.start {
      do throws(Fault) { try await imports.add(folder: music) } catch {
        self.notices.post(Notice(error, instead: "what was copied is on the device, but not in the library yet"))
      }
    }
  }

  private func hear(_ news: CopyPart.News) {
    switch news {
    case .ended(let wish, .success(let done)):
      guard done.phase == .done else { return }
      if done.failed > 0 {
        let message = "\(wish.from.label): \(done.files - done.failed) files are on the device, \(done.failed) are not"
        notices.post(Notice("L-441", "\(message) (layby copy says which)."))
      } else {
        let size = DiskSpace.shown(done.bytes)
        notices.post(
          Notice(
            "L-440", "\(wish.from.label): \(done.files) files (\(size)) are on the device.",
            names: [wish.from.label, "\(done.files)", size]))
      }
    case .ended(_, .failure(let fault)):
      notices.post(Notice(fault, instead: "what was copied whole is on the device"))
    case .away(let wish, let fault):
      let when = wish.from.kind == .stick ? "it is there again" : "it is asked for again, or at the next start"
      notices.post(Notice("L-442", "\(fault.message); the copy goes on when \(when)"))
    }
  }
}
