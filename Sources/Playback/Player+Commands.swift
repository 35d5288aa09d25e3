import Runtime

extension Player {
  package mutating func perform(_ command: Command, heard: Spot) -> [Action] {
    switch command {
    case .play: return play()
    case .pause: return pause()
    case .toggle: return wish == .playing ? pause() : play()
    case .stop: return stop()
    case .next: return skip(by: 1)
    case .previous:
      if heard.elapsed > rules.previousRestartsAfter { return seek(to: .zero) }
      return skip(by: -1)
    case .jump(let id):
      guard let entry = queue.entry(id) else { return [] }
      return move(to: entry) + play()
    case .seek(let place): return seek(to: place)
    case .setVolume(let percent):
      volume.set(percent)
      return [.gain(volume.gain), .savePlace]
    case .turn(let steps):
      volume.turn(by: steps)
      return [.gain(volume.gain), .savePlace]
    case .add(let paths): return add(paths, heard)
    case .remove(let id): return remove(id, heard)
    case .clear: return clear()
    case .repeats(let mode):
      queue.repeats = mode
      return followUp(heard) + [.savePlace]
    }
  }

  private mutating func play() -> [Action] {
    if current == nil { current = queue.entries.first?.id }
    guard current != nil else { return [.notice(.nothingToPlay)] }
    if let outputFault { return [.notice(.outputFailed(outputFault))] }
    wish = .playing
    forgetFailures()
    return (cue == nil ? begin() : []) + [.resume, .savePlace]
  }

  private mutating func pause() -> [Action] {
    guard wish == .playing else { return [] }
    wish = .paused
    return [.pause, .savePlace]
  }

  /// Stopping keeps the entry and goes back to its beginning.
  private mutating func stop() -> [Action] {
    guard wish != .stopped else { return [] }
    wish = .stopped
    startAt = .beginning
    return halt() + [.savePlace]
  }

  private mutating func skip(by count: Int) -> [Action] {
    guard let current else { return [.notice(.nothingToPlay)] }
    guard let target = queue.skip(from: current, by: count) else { return endOfQueue() }
    forgetFailures()
    return move(to: target) + [.savePlace]
  }

  /// Goes there; whether it plays is as it was.
  mutating func move(to entry: PlayQueue.Entry) -> [Action] {
    current = entry.id
    startAt = .beginning
    return wish == .playing ? begin() : halt()
  }

  private mutating func seek(to place: Duration) -> [Action] {
    guard current != nil else { return [.notice(.nothingToPlay)] }
    startAt = .time(max(place, .zero))
    return (wish == .playing ? begin() : halt()) + [.savePlace]
  }

  private mutating func add(_ paths: [FilePath], _ heard: Spot) -> [Action] {
    let made = queue.append(paths)
    var actions: [Action] = made.isEmpty ? [] : [.saveQueue(.appended(made))]
    if made.count < paths.count { actions.append(.notice(.queueFull(leftOut: paths.count - made.count))) }
    if current == nil, let first = made.first {
      current = first.id
      startAt = .beginning
      actions.append(.savePlace)
    }
    return actions + followUp(heard)
  }

  private mutating func remove(_ id: EntryID, _ heard: Spot) -> [Action] {
    guard let index = queue.index(of: id) else { return [] }
    // Where to go on is decided while the entry still has neighbours.
    let next = queue.skip(from: id, by: 1).flatMap { $0.id == id ? nil : $0 } ?? queue.entries[..<index].last
    queue.remove(id)
    var actions: [Action] = [.saveQueue(.removed(id))]
    guard id == current else { return actions + followUp(heard) }
    if let next {
      actions += move(to: next)
    } else {
      current = nil
      wish = .stopped
      startAt = .beginning
      actions += halt()
    }
    return actions + [.savePlace]
  }

  private mutating func clear() -> [Action] {
    queue.removeAll()
    current = nil
    wish = .stopped
    startAt = .beginning
    return halt() + [.saveQueue(.cleared), .savePlace]
  }
}
