import Runtime
import TestSupport

@testable import Offline

/// A download, a server, a disk, an owner, and a power supply that fails between any two actions. `complaints` says which
/// law did not hold.
final class DownloadWorld {
  let seed: UInt64
  var random: SeededGenerator
  var server: SimulatedServer
  private(set) var download: Download
  private(set) var stored: DownloadRecord
  private(set) var complaints: [String] = []
  /// Power cuts and faults happen.
  var isCalm = false

  // The disk.
  private var file: SimulatedFile?
  private var synced: SimulatedFile?
  private(set) var whole: SimulatedFile?

  // What was begun and has not ended.
  private enum Work: Equatable {
    case resolve, fetch(Range<Int64>, Int, hasHead: Bool), sync(Int64), verify, publish, schedule
  }
  private var works: [(ticket: Download.Ticket, work: Work)] = []
  private var heads: [Download.Ticket: MediaResponse] = [:]
  private var arriving: (version: Int, from: Int64)?
  private var askedLast: Int64 = 0
  private var refused: Int64?
  private(set) var cuts = 0
  private(set) var steps = 0
  private var reached: Set<String> = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    server = SimulatedServer(&random)
    download = Download(MediaKey(source: "shop", item: "song", quality: .high))
    stored = download.record
  }

  var states: Set<String> { reached }

  private func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds && complaints.isEmpty { complaints.append("seed \(seed), step \(steps): \(what())") }
  }

  private func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

  func tell(_ event: Download.Event) { perform(download.hear(event, date: 1, using: &random)) }

  // MARK: Actions

  private func perform(_ actions: [Download.Action]) {
    for action in actions {
      if case .store(let record) = action {
        expect(DownloadRecord.isWay(from: stored.state, to: record.state), "\(stored.state) to \(record.state)")
        expect(
          record.durable <= (synced?.length ?? 0) || record.state == .completed, "\(record.durable) is not durable")
        stored = record
        reached.insert(record.state.name)
      } else if case .tell = action {
      } else {
        let told = actions.last { if case .store = $0 { true } else { false } }
        if told != nil { expect(stored == download.record, "\(action) comes before it is stored") }
        act(action)
      }
      // At any moment between two of them.
      if !isCalm, chance(40) { return cutPower() }
    }
  }

  private func act(_ action: Download.Action) {
    switch action {
    case .resolve(let ticket, _): works.append((ticket, .resolve))
    case .cutBack(let length):
      file = file ?? SimulatedFile()
      file?.cut(to: length)
    case .fetch(let ticket, let asked):
      expect(!works.contains { if case .fetch = $0.work { true } else { false } }, "two fetches at once")
      expect(refused != asked.from, "\(asked.from) is asked for again after 416")
      let (answer, body) = server.answer(asked)
      heads[ticket] = answer
      askedLast = asked.from
      works.append((ticket, .fetch(body, server.version.number, hasHead: false)))
    case .write(_, let at, let skipping, let count):
      guard let arriving else { return expect(false, "nothing came that could be written") }
      expect(file?.length == at, "written at \(at), and the file is \(file?.length ?? -1) long")
      let from = arriving.from + Int64(skipping)
      file?.append(.init(version: arriving.version, from: from, count: Int64(count - skipping)))
    case .sync(let ticket, let end): works.append((ticket, .sync(end)))
    case .verify(let ticket, _, _): works.append((ticket, .verify))
    case .publish(let ticket): works.append((ticket, .publish))
    case .schedule(let ticket, _): works.append((ticket, .schedule))
    case .stop(let ticket): works.removeAll { $0.ticket == ticket }
    case .discard:
      (file, synced) = (nil, nil)
      // An older version is played until the new one is whole.
      if download.record.path == nil { whole = nil }
    case .store, .tell: break
    }
  }

  /// What was not durable is there, or not, or something else.
  func cutPower() {
    cuts += 1
    works = []
    arriving = nil
    let beyond = max((file?.length ?? 0) - (synced?.length ?? 0), 0)
    if file != nil, synced == nil, chance(2) { synced = SimulatedFile() }
    if synced != nil, beyond > 0, chance(2) {
      synced?.append(.init(version: 0, from: 0, count: Int64.random(in: 1...beyond, using: &random)))
    }
    file = synced
    let isPublished = stored.state == .downloading(.publishing) && (file == nil || stored.path == nil)
    let isOlder = whole != nil && stored.path != nil && stored.state != .completed && !isPublished
    var remains = Download.Remains(length: file?.length, isWhole: whole != nil && !isOlder)
    remains.hasOlder = isOlder
    // As whoever looks for files knows.
    if remains.isWhole { stored.path = "there" }
    let restored = Download.restored(stored, remains)
    download = restored.download
    perform(restored.actions)
  }

  // MARK: What happens by itself

  /// Something that was begun comes a step further.
  func step() {
    steps += 1
    guard let index = works.indices.randomElement(using: &random) else { return }
    let (ticket, work) = works[index]
    if !isCalm, chance(25) { return trouble(at: index) }
    switch work {
    case .fetch(let body, let version, let hasHead): go(ticket, index, body, version, hasHead)
    case .resolve: finish(index, .resolved(ticket, server.place))
    case .sync(let end):
      expect((file?.length ?? 0) >= end, "synced up to \(end), and the file is \(file?.length ?? -1) long")
      synced = file
      finish(index, .synced(ticket, upTo: end))
    case .verify: finish(index, .verified(ticket, finding))
    case .publish:
      (whole, file, synced) = (file, nil, nil)
      expect(whole?.version != nil, "half of one and half of another got a name: \(String(describing: whole))")
      if !isCalm, chance(3) { return cutPower() }
      finish(index, .published(ticket, path: "there"))
    case .schedule: finish(index, .due(ticket))
    }
  }

  private func finish(_ index: Int, _ event: Download.Event) {
    works.remove(at: index)
    tell(event)
  }

  private func go(_ ticket: Download.Ticket, _ index: Int, _ body: Range<Int64>, _ version: Int, _ hasHead: Bool) {
    if !hasHead, let head = heads[ticket] {
      works[index].work = .fetch(body, version, hasHead: true)
      refused = head.status == 416 ? askedLast : nil
      return tell(.answered(ticket, head))
    }
    if body.isEmpty { return finish(index, .ended(ticket)) }
    let count = min(Int64.random(in: 1...900_000, using: &random), Int64(body.count))
    works[index].work = .fetch(body.lowerBound + count..<body.upperBound, version, hasHead: true)
    arriving = (version, body.lowerBound)
    tell(.took(ticket, Int(count)))
    arriving = nil
  }

  private var finding: Download.Finding {
    let versions = file?.version
    let hash = versions.map { "hash \($0)" } ?? "nonsense"
    guard file?.length == download.record.durable else { return .unreadable }
    return download.record.hash == nil || download.record.hash == hash ? .right(hash: hash) : .wrong
  }

  private func trouble(at index: Int) {
    let (ticket, work) = works[index]
    var kinds: [Trouble] = [.disk(.write), .noSpace]
    switch work {
    case .schedule: return finish(index, .due(ticket))
    case .sync: kinds.append(.disk(.sync))
    case .verify: return finish(index, .verified(ticket, .unreadable))
    case .publish: kinds = [.disk(.rename), .noSpace]
    case .fetch(_, _, false):
      let statuses = [401, 403, 404, 410, 429, 500, 503, 200]
      let status = statuses.randomElement(using: &random) ?? 500
      heads[ticket] = Told.answer(status, status == 200 ? [("Content-Type", "text/html")] : [])
      works[index].work = .fetch(0..<0, 0, hasHead: true)
      return tell(.answered(ticket, heads[ticket] ?? Told.answer(500)))
    case .fetch: kinds += [.network(.reset), .network(.reset), .stalled, .tls(.other), .network(.timedOut)]
    case .resolve: kinds = [.network(.noName), .signIn, .notThere, .httpStatus(503), .clockWrong]
    }
    finish(index, .failed(ticket, kinds.randomElement(using: &random) ?? .stalled))
  }

  // MARK: What people do

  func owner() {
    if chance(3) { server.change(&random) }
    let events: [Download.Event] = [.pause, .hold, .resume, .again, .cancel, .start, .lost, .outdated]
    guard let event = events.randomElement(using: &random) else { return }
    if event == .lost, download.state != .completed { return }
    if event == .lost { whole = nil }
    tell(event)
    expect(download.record.path == nil || whole != nil, "what is here went before another was whole")
  }

  /// Gives it a place, lifts what it waits for, and asks again for what was given up.
  func nudge() {
    if let reason = download.record.waits { tell(.lifted(reason)) }
    switch download.state {
    case .queued: tell(.start)
    case .paused: tell(.resume)
    case .failed, .cancelled: tell(.again)
    default: break
    }
  }
}
