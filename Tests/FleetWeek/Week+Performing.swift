import Offline
import Runtime

/// One action after the other, as `DownloadEngine` does; between any two of them the power may go.
extension Week {
  func tell(_ event: Download.Event, _ key: MediaKey) {
    guard let life, let carriage = life.carriages[key] else { return }
    carriage.inbox.append(event)
    if carriage.isBusy { return }
    carriage.isBusy = true
    while !carriage.inbox.isEmpty, self.life === life {
      let next = carriage.inbox.removeFirst()
      let before = carriage.download.record
      let actions = carriage.download.hear(next, date: date, using: &dice)
      checkHeard(next, before, carriage.download.record)
      perform(actions, carriage)
    }
    carriage.isBusy = false
    if self.life === life { settle(carriage) }
  }

  /// It has done what there was to do.
  func settle(_ carriage: ActiveDownload) {
    guard let life, !carriage.download.state.isRunning else { return }
    let key = carriage.key
    life.mayHaveRoom = true
    // As a file gives back what it did not come to use.
    disk.giveBack(part(key))
    life.planner.ended(key)
    if carriage.download.record.waits?.isOutage != true { life.scouting.left(key) }
    life.planner.set(key, ready: carriage.download.record.isReady)
    if carriage.download.state == .completed { removeOthers(than: key) }
  }

  func perform(_ actions: [Download.Action], _ carriage: ActiveDownload) {
    guard let life else { return }
    var broken: Trouble?
    for action in actions {
      if let left = actionsLeft {
        actionsLeft = left - 1
        if left == 0 {
          counts.cutsInside += 1
          // What was to be thrown away is not lost with the power.
          if actions.contains(where: \.cutsBack) { life.transfers[carriage.key] = nil }
          return cutPower(for: dice.between(20, 900))
        }
      }
      switch action {
      case .store(let record): store(record, carriage)
      case .tell(let event): heard(event)
      case .stop(let ticket): if life.transfers[carriage.key]?.ticket == ticket { life.transfers[carriage.key] = nil }
      case .discard: discard(carriage.key)
      case .schedule(let ticket, let pause): after(Double(pause.nanoseconds) / 1e9, .due(carriage.key, ticket))
      case .resolve(let ticket, _): after(dice.between(0.05, 1), .resolve(carriage.key, ticket))
      case .cutBack(let length): broken = cut(carriage.key, to: length)
      case _ where broken != nil: break
      case .fetch(let ticket, let asked): broken = fetch(ticket, asked, carriage)
      case .write(_, let at, let skipping, let count): broken = write(at, skipping, count, carriage.key)
      case .sync(let ticket, let end): broken = sync(ticket, end, carriage)
      case .verify(let ticket, let size, let hash): verify(ticket, size, hash, carriage)
      case .publish(let ticket): publish(ticket, carriage)
      }
      if case .store = action {} else { checkActed(action, carriage, actions) }
    }
    if let broken { carriage.inbox.append(.failed(carriage.download.ticket, broken)) }
  }

  private func store(_ record: DownloadRecord, _ carriage: ActiveDownload) {
    checkStored(record, after: carriage.stored)
    carriage.stored = record
    rows[record.key] = record
  }

  private func heard(_ event: DownloadEvent) {
    switch event {
    case .waits(let key, let reason):
      counts.waits[reason, default: 0] += 1
      waits(key, reason)
    case .progressed(let key, _, _): came(key, isWhole: false)
    case .completed(let key, _):
      counts.completed += 1
      came(key, isWhole: true)
    case .failed: counts.failures += 1
    default: break
    }
  }

  // MARK: The disk

  func part(_ key: MediaKey) -> FilePath { paths(key).part }
  func whole(_ key: MediaKey) -> FilePath { paths(key).whole }

  private func paths(_ key: MediaKey) -> (part: FilePath, whole: FilePath) {
    if let known = paths[key] { return known }
    let name = try? MediaFolder.Name(of: key)
    let nowhere = FilePath("nowhere")
    let made = name.map { (folder.part($0), folder.whole($0, ending: "flac")) } ?? (nowhere, nowhere)
    paths[key] = made
    return made
  }

  /// EIO, now and then; and nothing at all where the disk was pulled out.
  private func diskSays(_ step: Trouble.DiskStep) -> Trouble? {
    if !isDiskThere { return .disk(step) }
    return !isCalm && dice.chance(oneIn: 4_000) ? .disk(step) : nil
  }

  private func cut(_ key: MediaKey, to length: Int64) -> Trouble? {
    if let trouble = diskSays(.open) { return trouble }
    disk.make(part(key))
    disk.cut(part(key), to: length)
    return nil
  }

  private func write(_ at: Int64, _ skipping: Int, _ count: Int, _ key: MediaKey) -> Trouble? {
    guard let life, let piece = life.transfers[key]?.pieces.popLast() else {
      complain("\(key) is written, and nothing came")
      return nil
    }
    if let trouble = diskSays(.write) { return trouble }
    let path = part(key)
    if disk.content(path)?.length != at {
      complain("\(key) is written at \(at), and is \(disk.content(path)?.length ?? -1) long")
    }
    let run = Content.Run(piece.version, from: piece.from + Int64(skipping), count: Int64(count - skipping))
    do throws(Fault) { try disk.append(run, to: path) } catch { return Trouble(full: error) }
    return nil
  }

  private func sync(_ ticket: Download.Ticket, _ end: Int64, _ carriage: ActiveDownload) -> Trouble? {
    if let trouble = diskSays(.sync) { return trouble }
    disk.sync(part(carriage.key))
    carriage.inbox.append(.synced(ticket, upTo: end))
    return nil
  }

  private func verify(_ ticket: Download.Ticket, _ size: Int64, _ hash: String?, _ carriage: ActiveDownload) {
    let key = carriage.key
    let content = disk.content(part(key)) ?? Content()
    var finding = Download.Finding.unreadable
    if diskSays(.read) == nil, content.length >= size {
      // Of what nobody has sent as a whole there is a sum too.
      let found = content.version.map { content.length == shop.size(key, $0) ? shop.hash(key, $0) : nil } ?? nil
      let sum = found ?? "of nothing that is known"
      finding = content.length == size && hash.map { $0 == sum } ?? true ? .right(hash: sum) : .wrong
    }
    carriage.inbox.append(.verified(ticket, finding))
  }

  private func publish(_ ticket: Download.Ticket, _ carriage: ActiveDownload) {
    let key = carriage.key
    if let trouble = diskSays(.rename) { return carriage.inbox.append(.failed(ticket, trouble)) }
    let (from, path) = (part(key), whole(key))
    disk.sync(from)
    if let content = disk.content(from) { checkPublished(key, content, carriage.download.record) }
    do throws(Fault) {
      if try !disk.place(from, as: path) {
        disk.remove(path)
        _ = try disk.place(from, as: path)
      }
    } catch { return carriage.inbox.append(.failed(ticket, .disk(.rename))) }
    carriage.inbox.append(.published(ticket, path: String(decoding: path.bytes, as: UTF8.self)))
  }

  private func discard(_ key: MediaKey) {
    guard isDiskThere else {
      life?.mayHaveOrphans = true
      return
    }
    disk.remove(part(key))
    disk.remove(whole(key))
  }
}

extension Download.Action {
  fileprivate var cutsBack: Bool { if case .cutBack = self { true } else { false } }
}

extension Trouble {
  fileprivate init(full fault: Fault) { self = fault.kind == .full ? .noSpace : .disk(.write) }
}
