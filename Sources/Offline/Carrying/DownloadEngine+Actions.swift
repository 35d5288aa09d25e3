import Runtime
import Services

/// One action after the other. Where the disk says no, what follows is not done, and the download hears of it.
extension DownloadEngine {
  func perform(_ actions: [Download.Action], _ bytes: [UInt8], of carriage: ActiveDownload) async {
    var broken: Trouble?
    for action in actions {
      guard carriages[carriage.key] === carriage else { return }
      do throws(Fault) {
        switch action {
        case .store(let record):
          Steps.reach("carrier.storing")
          try await rows.store(record)
          carriage.stored = record
          Steps.reach("carrier.stored")
        case .tell(let event): tell(event, carriage)
        case .stop(let ticket): stop(ticket, carriage)
        case .discard: discard(carriage)
        case .schedule(let ticket, let pause): schedule(ticket, pause, carriage.key)
        case .resolve(let ticket, let isAnew): resolve(ticket, isAnew, carriage.key)
        case .cutBack(let length): broken = cut(carriage, to: length)
        case _ where broken != nil: break
        case .fetch(let ticket, let asked):
          broken = claim(carriage.download.record.size ?? 0, carriage)
          if broken == nil { broken = reserveRoom(carriage) }
          if broken == nil { await fetch(ticket, asked, carriage) }
        case .write(_, let at, let skipping, let count):
          // Of what nobody knew the length of before, each byte is claimed as it comes.
          broken = claim(max(carriage.download.record.size ?? 0, at + Int64(count)), carriage)
          if broken != nil { break }
          broken = write(bytes, at, skipping, count, carriage)
        case .sync(let ticket, let end):
          broken = sync(ticket, end, carriage)
        case .verify(let ticket, let size, let hash):
          hear(.verified(ticket, finding(size, hash, carriage)), for: carriage.key)
        case .publish(let ticket): await publish(ticket, carriage)
        }
      } catch { return giveUp(carriage, error) }
    }
    guard let broken else { return }
    if broken == .noSpace { makeRoom(for: carriage) }
    hear(.failed(carriage.download.ticket, broken), for: carriage.key)
  }

  private func tell(_ event: DownloadEvent, _ carriage: ActiveDownload) {
    told(event)
    switch event {
    case .retryScheduled: carriage.failingSince = carriage.failingSince ?? loop.now
    case .waits(_, let reason): waits(carriage, reason)
    case .progressed: came(carriage, isWhole: false)
    case .completed:
      came(carriage, isWhole: true)
      whole(carriage.download.record)
    default: break
    }
  }

  /// What waits for room goes on when what is given up for it is gone.
  private func claim(_ bytes: Int64, _ carriage: ActiveDownload) -> Trouble? {
    if budget.claim(bytes, for: carriage.key) { return nil }
    giveUp(bytes - carriage.download.record.durable, for: carriage)
    return .overLimit
  }

  private func makeRoom(for carriage: ActiveDownload) {
    let record = carriage.download.record
    giveUp(max((record.size ?? 0) - record.durable, 1), for: carriage)
  }

  // MARK: The disk

  func refused(_ fault: Fault, at step: Trouble.DiskStep) -> Trouble {
    Log("offline").info("the disk says no", ["reason": fault.message])
    return isDiskThere ? Trouble(fault, at: step) : .diskGone
  }

  private func opened(_ carriage: ActiveDownload) throws(Fault) -> PartFile {
    if let part = carriage.part { return part }
    guard isDiskThere else { throw VolumeMark.away(folder.path) }
    let part = try PartFile(folder.part(try MediaFolder.Name(of: carriage.key)), on: disk)
    carriage.part = part
    return part
  }

  private func cut(_ carriage: ActiveDownload, to length: Int64) -> Trouble? {
    do throws(Fault) {
      try opened(carriage).cutBack(to: length)
      return nil
    } catch { return refused(error, at: .open) }
  }

  private func reserveRoom(_ carriage: ActiveDownload) -> Trouble? {
    guard let size = carriage.download.record.size else { return nil }
    do throws(Fault) {
      try opened(carriage).makeRoom(for: size, keeping: reserve)
      return nil
    } catch { return refused(error, at: .open) }
  }

  private func write(
    _ bytes: [UInt8], _ at: Int64, _ skipping: Int, _ count: Int, _ carriage: ActiveDownload
  ) -> Trouble? {
    do throws(Fault) {
      let part = try opened(carriage)
      let outcome = bytes.withUnsafeBytes { all -> Result<Void, Fault> in
        let wanted = UnsafeRawBufferPointer(rebasing: all.prefix(count).dropFirst(skipping))
        return Result { () throws(Fault) in try part.write(wanted, at: at) }
      }
      try outcome.get()
      return nil
    } catch { return refused(error, at: .write) }
  }

  private func sync(_ ticket: Download.Ticket, _ end: Int64, _ carriage: ActiveDownload) -> Trouble? {
    do throws(Fault) {
      let piece = try opened(carriage).sync()
      hear(.synced(ticket, upTo: end, piece), for: carriage.key)
      return nil
    } catch { return refused(error, at: .sync) }
  }

  private func finding(_ size: Int64, _ hash: String?, _ carriage: ActiveDownload) -> Download.Finding {
    do throws(Fault) {
      let part = try opened(carriage)
      if part.length < size { return .unreadable }
      let found: String
      switch try part.sum(against: carriage.download.record.pieces) {
      case .damaged(let from):
        Log("offline").info("a disk has not kept what was durable", ["file": "\(part.path)", "from": "\(from)"])
        return .damaged(from: from)
      case .whole(let sum): found = sum
      }
      return part.length == size && hash.map { $0 == found } ?? true ? .right(hash: found) : .wrong
    } catch {
      Log("offline").info("a download cannot be checked", ["reason": error.message])
      return .unreadable
    }
  }

  /// A row of an older program does not say how the file is called at the end; then the source is asked.
  private func publish(_ ticket: Download.Ticket, _ carriage: ActiveDownload) async {
    let key = carriage.key
    var ending = carriage.download.record.ending ?? carriage.place?.ending
    if ending == nil, let source = sources[key.source] {
      ending = try? await source.resolve(key.item.item, at: key.quality, isAnew: false).ending
    }
    let said: Download.Event
    do throws(Fault) {
      let path = folder.whole(try MediaFolder.Name(of: key), ending: ending ?? "")
      let older = carriage.download.record.path
      try opened(carriage).publish(as: path)
      // By another ending it was another file.
      if let older, FilePath(older) != path { disk.remove(FilePath(older)) }
      said = .published(ticket, path: String(decoding: path.bytes, as: UTF8.self))
    } catch { said = .failed(ticket, refused(error, at: .rename)) }
    carriage.part = nil
    hear(said, for: key)
  }

  // MARK: What takes time

  private func schedule(_ ticket: Download.Ticket, _ pause: Duration, _ key: MediaKey) {
    carriages[key]?.dueAt = loop.now + pause
    Task(executorPreference: loop) {
      await self.loop.sleep(for: pause)
      await self.pauseEnds(ticket, key)
    }
  }

  private func pauseEnds(_ ticket: Download.Ticket, _ key: MediaKey) {
    carriages[key]?.dueAt = nil
    hear(.due(ticket), for: key)
  }

  private func resolve(_ ticket: Download.Ticket, _ isAnew: Bool, _ key: MediaKey) {
    guard let source = sources[key.source] else { return hear(.failed(ticket, .notThere), for: key) }
    Task(executorPreference: loop) {
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
    carriages[key]?.place = place
    resolved(key)
    hear(.resolved(ticket, Download.SourceFacts(size: place.size, hash: place.hash, ending: place.ending)), for: key)
  }

  private func stop(_ ticket: Download.Ticket, _ carriage: ActiveDownload) {
    guard let fetch = carriage.fetch, fetch.ticket == ticket else { return }
    fetch.running.stop()
    carriage.fetch = nil
  }

  private func fetch(_ ticket: Download.Ticket, _ asked: Asked, _ carriage: ActiveDownload) async {
    let key = carriage.key
    guard let place = carriage.place else { return hear(.failed(ticket, .notThere), for: key) }
    Steps.reach("carrier.fetching")
    let running = await fetching.fetch(place, asked) { [weak self] news in
      self?.soon { carrier in carrier.heard(news, ticket, key) }
    }
    carriage.fetch = (ticket, running)
    if !carriage.streams.isEmpty { running.listened(true) }
  }

  private func heard(_ news: FetchNews, _ ticket: Download.Ticket, _ key: MediaKey) {
    switch news {
    case .head(let answer): hear(.answered(ticket, answer), for: key)
    case .bytes(let bytes):
      carriages[key]?.speed.took(bytes.count, at: loop.now)
      hear(.took(ticket, bytes.count), bytes, for: key)
    case .ended: hear(.ended(ticket), for: key)
    case .failed(let trouble): hear(.failed(ticket, trouble), for: key)
    }
  }
}
