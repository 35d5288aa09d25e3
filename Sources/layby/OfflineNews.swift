import Application
import Hardware
import Offline
import Runtime

/// Tells people what they must know of downloads, and the log the rest; and tells the network's probe what downloads show
/// of the line. It runs on the main loop.
@MainLoop
final class OfflineNews {
  private let notices: NoticeBoard
  private let network: NetworkPart?
  private let arrived: ArrivedDownloads
  private var isTold: Set<String> = []
  /// By source and reason: what failed in a row.
  private var failures: [String: Failures] = [:]
  private let log = Log("offline")

  init(_ notices: NoticeBoard, _ network: NetworkPart?, _ keeping: Keeping) {
    (self.notices, self.network) = (notices, network)
    arrived = ArrivedDownloads(keeping, notices)
  }

  func tell(_ event: OfflineEvent) {
    arrived.tell(event)
    if case .download(let download) = event { note(download) }
    switch event {
    case .download(.failed(let key, let trouble)):
      failed(key, trouble)
    case .download(.waits(_, .portal)): network?.suspectPortal()
    case .download(.completed): network?.proveInternet()
    case .waits(let reasons):
      log.notice("downloads wait", ["why": reasons.map(\.words).joined(separator: "; ")])
      for why in reasons where Self.mustBeTold.contains(why.code) && isTold.insert(why.code).inserted {
        notices.post(
          Notice(why.code, "Downloads wait: \(why.words).", as: "downloads wait", because: why.code))
      }
    case .goesOn:
      log.notice("downloads go on")
      if !isTold.isEmpty { notices.post(Notice("O-200", "Downloads go on.")) }
      isTold = []
    case .moving(let from, let to): log.notice("everything is moved", ["from": from, "to": to])
    case .moveWaits(let why):
      for one in why {
        let message = "What is fetched cannot be moved just now: \(one.words)."
        notices.post(Notice(one.code, message, as: "not moved", because: one.code))
      }
    case .moved(let to):
      notices.post(Notice("O-420", "What is fetched is on the disk \(to) now.", names: [to]))
    case .warned(let warning):
      let why = Why(warning)
      notices.post(Notice(why.code, "There is little room for music: \(why.words).", as: "little room"))
    case .gaveUp(let key, let kind, let bytes):
      log.notice("gave up", ["item": "\(key)", "class": "\(kind)", "bytes": bytes])
    case .download, .wanted, .dropped, .followed, .renamed: break
    }
  }

  /// Files that fail one after the other for the same reason, such as those of an album, are told in one notice.
  private struct Failures {
    var notice: Notice
    let first: String
    var others: Set<String> = []
    var last: Moment
  }

  private static let inARow: Duration = .seconds(600)
  private static let mostOthers = 1_000

  private func failed(_ key: MediaKey, _ trouble: Trouble) {
    let (name, source, now) = (Self.name(of: key), shownPlain(key.source), MainLoop.loop.now)
    let place = "\(trouble.code) \(key.source)"
    guard var same = failures[place], now - same.last < Self.inARow else {
      let notice = Notice(
        trouble.code, "\(name) of \(source) could not be fetched: \(trouble.words)", as: "not fetched",
        names: [name, source], because: trouble.code)
      failures[place] = Failures(notice: notice, first: name, last: now)
      return notices.post(notice)
    }
    if name != same.first, same.others.count < Self.mostOthers { same.others.insert(name) }
    same.last = now
    defer { failures[place] = same }
    guard !same.others.isEmpty else { return }
    let old = same.notice
    same.notice = Notice(
      trouble.code,
      "\(same.first) and \(same.others.count) more of \(source) could not be fetched: \(trouble.words)",
      as: "several not fetched", names: [same.first, "\(same.others.count)", source], because: trouble.code)
    if same.notice != old { notices.post(same.notice, inPlaceOf: old, isHeard: false) }
  }

  /// Of a file its name, without the folders before and the ending behind it.
  private static func name(of key: MediaKey) -> String {
    let file = key.item.item.split(separator: "/").last.map(String.init) ?? key.item.item
    return shownPlain(String(decoding: file.utf8.withoutFileEnding, as: UTF8.self))
  }

  /// What the log has of each download. `layby events` tells of the rest.
  private func note(_ event: DownloadEvent) {
    switch event {
    case .stateChanged(let key, let state): log.info("state changed", ["item": "\(key)", "state": state.name])
    case .retryScheduled(let key, let trouble, let pause):
      let reason = trouble.words
      log.info("retry scheduled", ["item": "\(key)", "reason": reason, "after_s": pause.inSeconds])
    case .recovered(let key, let bytes): log.notice("recovery done", ["item": "\(key)", "bytes": bytes])
    case .maintenanceDone(let checked, let repaired, let removed):
      log.notice("maintenance done", ["checked": checked, "repaired": repaired, "removed": removed])
    case .failed(let key, let trouble):
      log.notice("download failed", ["item": "\(key)", "reason": trouble.words])
    case .started, .progressed, .completed, .deleted, .allDeleted, .waits: break
    }
  }

  /// Reasons to wait that become a notice: they do not end by themselves, or people would wonder. Being without a network
  /// is normal for this program and is not among them.
  private static let mustBeTold: Set<String> = Set(
    [WaitReason.space, .limit, .otherDisk, .disk, .untrusted, .signIn, .source, .portal, .clock, .battery, .heat]
      .map(\.code))
}
