import Application
import Offline
import Runtime

/// Tells people once when all of something has come that they asked for. What comes at about the same time is told
/// together. It runs on the main loop.
@MainLoop
final class ArrivedDownloads {
  private let keeping: Keeping
  private let notices: NoticeBoard
  /// What was asked for and is not all here; nil until that was looked up for the first time.
  private var coming: Set<ContainerKey>?
  /// Wanted since the start.
  private var wanted: Set<ContainerKey> = []
  /// A look goes through all that is wanted.
  private let soon = SoonOnce()
  /// What was said last, and of what.
  private var last: (notice: Notice, names: [String])?
  private let log = Log("offline")

  init(_ keeping: Keeping, _ notices: NoticeBoard) { (self.keeping, self.notices) = (keeping, notices) }

  func tell(_ event: OfflineEvent) {
    switch event {
    case .wanted(let container) where container.kind.isAskedFor:
      wanted.insert(container)
      lookSoon()
    case .dropped(let container):
      wanted.remove(container)
      coming?.remove(container)
    case .download(.started), .download(.completed):
      if coming?.isEmpty != true || !wanted.isEmpty { lookSoon() }
    case .download, .waits, .goesOn, .warned, .gaveUp, .wanted, .followed, .renamed, .moving, .moveWaits, .moved: break
    }
  }

  private func lookSoon() { soon.start { [weak self] in await self?.look() } }

  private func look() async {
    let asked = wanted.union(coming ?? [])
    wanted = []
    do throws(Fault) {
      let lines = try await keeping.lines().filter { $0.container.kind.isAskedFor }
      // What was wanted while this was asked may not be among them.
      coming = Set(lines.filter { $0.state != .whole }.map(\.container)).union(wanted)
      say(lines.filter { $0.state == .whole && asked.contains($0.container) }.map(\.container.title))
    } catch {
      log.debug("what has come is not known", ["reason": error.message])
      wanted.formUnion(asked)
    }
  }

  /// What is still shown says all of it.
  private func say(_ titles: [String]) {
    guard !titles.isEmpty else { return }
    let shown = notices.current(at: MainLoop.loop.now)?.notice
    let old = last.flatMap { $0.notice == shown ? $0 : nil }
    let names = (old?.names ?? []) + titles.map { shownPlain($0) }
    let (first, others) = (names[0], names.count - 1)
    let notice =
      others == 0
      ? Notice("O-211", "\(first) is here, also offline.", names: [first])
      : Notice(
        "O-211", "\(first) and \(others) more are here, also offline.", as: "several are here",
        names: [first, "\(others)"])
    notices.post(notice, inPlaceOf: old?.notice, isListed: false)
    last = (notice, names)
  }
}

extension ContainerKey.Kind {
  /// By a person, as a whole. Episodes come by themselves, and so does what is predicted or streamed.
  fileprivate var isAskedFor: Bool {
    switch self {
    case .track, .playlist, .album, .artist, .devicePlaylist: true
    case .podcast, .episode, .predicted, .cache: false
    }
  }
}
