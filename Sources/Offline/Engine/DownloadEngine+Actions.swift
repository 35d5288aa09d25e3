import Runtime
import Services

/// One action after the other. Where the disk says no, what follows is not done, and the download hears of it.
extension DownloadEngine {
  func perform(_ actions: [Download.Action], _ bytes: [UInt8], of active: ActiveDownload) async {
    var broken: Trouble?
    for action in actions {
      guard downloads[active.key] === active else { return }
      do throws(Fault) {
        switch action {
        case .store(let record):
          Steps.reach("carrier.storing")
          try await tools.rows.store(record)
          active.stored = record
          Steps.reach("carrier.stored")
        case .tell(let event): tell(event, active)
        case .stop(let ticket): stop(ticket, active)
        case .discard: if !files.discard(active) { orphans.mustHunt = true }
        case .schedule(let ticket, let pause): schedule(ticket, pause, active.key)
        case .resolve(let ticket, let isAnew): resolve(ticket, isAnew, active.key)
        case .cutBack(let length): broken = files.cut(active, to: length)
        case _ where broken != nil: break
        case .fetch(let ticket, let asked):
          broken = room.claim(active.download.record.size ?? 0, for: active)
          if broken == nil { broken = files.makeRoom(for: active, keeping: conditions.reserve) }
          if broken == nil { await fetch(ticket, asked, active) }
        case .write(_, let at, let skipping, let count):
          // Of what nobody knew the length of before, each byte is claimed as it comes.
          broken = room.claim(max(active.download.record.size ?? 0, at + Int64(count)), for: active)
          if broken != nil { break }
          broken = files.write(bytes, at, skipping, count, active)
        case .sync(let ticket, let end):
          let synced = files.sync(active)
          broken = synced.trouble
          if broken == nil { downloads.hear(.synced(ticket, upTo: end, synced.piece), for: active.key) }
        case .verify(let ticket, let size, let hash):
          downloads.hear(.verified(ticket, files.finding(size, hash, active)), for: active.key)
        case .publish(let ticket): downloads.hear(await files.publish(ticket, active), for: active.key)
        }
      } catch { return giveUp(active, error) }
    }
    guard let broken else { return }
    if broken == .noSpace { room.make(for: active) }
    downloads.hear(.failed(active.download.ticket, broken), for: active.key)
  }

  private func tell(_ event: DownloadEvent, _ active: ActiveDownload) {
    tools.told(event)
    switch event {
    case .retryScheduled: active.waits.failingSince = active.waits.failingSince ?? tools.loop.now
    case .waits(_, let reason): waits(active, reason)
    case .progressed: health.came(active, isWhole: false)
    case .completed:
      health.came(active, isWhole: true)
      tools.whole(active.download.record)
    default: break
    }
  }

  // MARK: What takes time

  private func schedule(_ ticket: Download.Ticket, _ pause: Duration, _ key: MediaKey) {
    downloads[key]?.waits.dueAt = tools.loop.now + pause
    Task(executorPreference: tools.loop) {
      await self.tools.loop.sleep(for: pause)
      await self.pauseEnds(ticket, key)
    }
  }

  private func pauseEnds(_ ticket: Download.Ticket, _ key: MediaKey) {
    downloads[key]?.waits.dueAt = nil
    downloads.hear(.due(ticket), for: key)
  }

  private func resolve(_ ticket: Download.Ticket, _ isAnew: Bool, _ key: MediaKey) {
    guard let source = tools.sources[key.source] else { return downloads.hear(.failed(ticket, .notThere), for: key) }
    Task(executorPreference: tools.loop) {
      do throws(MediaFailure) {
        let place = try await source.resolve(key.item.item, at: key.quality, isAnew: isAnew)
        await self.resolved(ticket, place, key)
      } catch {
        if error.isOfSource {
          Log("offline").info("a source cannot be read", ["source": key.source, "reason": error.fault.message])
        }
        await self.hear(.failed(ticket, Trouble(error)), for: key)
      }
    }
  }

  private func resolved(_ ticket: Download.Ticket, _ place: MediaPlace, _ key: MediaKey) {
    downloads[key]?.transfer.place = place
    health.resolved(key)
    downloads.hear(
      .resolved(ticket, Download.SourceFacts(size: place.size, hash: place.hash, ending: place.ending)), for: key)
  }

  private func stop(_ ticket: Download.Ticket, _ active: ActiveDownload) {
    guard let fetch = active.transfer.fetch, fetch.ticket == ticket else { return }
    fetch.running.stop()
    active.transfer.fetch = nil
  }

  private func fetch(_ ticket: Download.Ticket, _ asked: Asked, _ active: ActiveDownload) async {
    let key = active.key
    guard let place = active.transfer.place else { return downloads.hear(.failed(ticket, .notThere), for: key) }
    Steps.reach("carrier.fetching")
    let running = await tools.fetching.fetch(place, asked) { [tasks = tools.tasks] news in
      tasks.post { engine in engine.heard(news, ticket, key) }
    }
    active.transfer.fetch = (ticket, running)
    if !active.listeners.streams.isEmpty { running.listened(true) }
  }

  private func heard(_ news: FetchNews, _ ticket: Download.Ticket, _ key: MediaKey) {
    switch news {
    case .head(let answer): downloads.hear(.answered(ticket, answer), for: key)
    case .bytes(let bytes):
      explainer.took(bytes.count, from: key.source)
      downloads.hear(.took(ticket, bytes.count), bytes, for: key)
    case .ended: downloads.hear(.ended(ticket), for: key)
    case .failed(let trouble): downloads.hear(.failed(ticket, trouble), for: key)
    }
  }
}
