import Offline
import Runtime

/// What comes over the line, or does not.
extension Week {
  private func fails(_ key: MediaKey) -> Trouble? {
    switch (truth.network, truth.internet) {
    case (.none, _): return dice.among([.network(.unreachable), .network(.noName)], else: .stalled)
    case (_, .none): return .network(.timedOut)
    default: break
    }
    // Certificates are not good yet for a clock that is far behind.
    return life?.isClockSet == true ? nil : .clockWrong
  }

  func resolve(_ key: MediaKey, _ ticket: Download.Ticket) {
    if let trouble = fails(key) { return tell(.failed(ticket, trouble), key) }
    if truth.internet == .portal { return tell(.failed(ticket, .portal), key) }
    if server == .down { return tell(.failed(ticket, .source), key) }
    if !isSignedIn { return tell(.failed(ticket, .signIn), key) }
    switch shop.ware(key).flaw {
    case .gone: return tell(.failed(ticket, .notThere), key)
    case .denied: return tell(.failed(ticket, .denied), key)
    default: break
    }
    shop.wares[Shop.number(key.item)].addressUntil = now + dice.between(30, 3_000)
    if let life { life.going += life.scouting.came(key, for: .source) }
    tell(.resolved(ticket, shop.place(key)), key)
  }

  func fetch(_ ticket: Download.Ticket, _ asked: Asked, _ carriage: ActiveDownload) -> Trouble? {
    if life?.transfers[carriage.key] != nil { complain("\(carriage.key) is fetched twice at once") }
    if !isDiskThere { return .disk(.open) }
    if !makeRoom(for: carriage) { return .noSpace }
    life?.transfers[carriage.key] = Transfer(ticket: ticket, asked: asked)
    after(dice.between(0.03, 0.4), .head(carriage.key, ticket))
    return nil
  }

  private func transfer(_ key: MediaKey, _ ticket: Download.Ticket) -> Transfer? {
    guard let transfer = life?.transfers[key], transfer.ticket == ticket else { return nil }
    return transfer
  }

  func head(_ key: MediaKey, _ ticket: Download.Ticket) {
    guard var transfer = transfer(key, ticket) else { return }
    if shop.ware(key).flaw == .untrusted { return end(.failed(ticket, .tls(.pin)), key) }
    if let trouble = fails(key) { return end(.failed(ticket, trouble), key) }
    var answer: MediaResponse
    var body: Range<Int64> = 0..<0
    if truth.internet == .portal {
      answer = Shop.answer(200, [(name: "Content-Type", value: "text/html")])
    } else if server != .up {
      answer = busy()
    } else if shop.ware(key).flaw == .page {
      answer = Shop.answer(200, [(name: "Content-Type", value: "text/html")])
    } else if shop.ware(key).addressUntil < now {
      answer = Shop.answer(dice.among([401, 403, 410], else: 403))
    } else {
      (answer, body) = shop.answer(key, transfer.asked)
      if answer.status == 416, transfer.asked.from == 0 { complain("\(key): asked from 0 and answered 416") }
    }
    (transfer.hasHead, transfer.version) = (true, shop.ware(key).version)
    (transfer.at, transfer.end) = (body.lowerBound, body.upperBound)
    // A line that garbles is found out only where there is a hash.
    transfer.isGarbled = !isCalm && shop.ware(key).tellsHash && dice.chance(oneIn: 40)
    life?.transfers[key] = transfer
    tell(.answered(ticket, answer), key)
    guard self.transfer(key, ticket) != nil else { return }
    next(key, ticket, after: 0.01)
  }

  private func busy() -> MediaResponse {
    let pause = "\(Int.random(in: 1...600, using: &dice))"
    let headers = dice.chance(oneIn: 2) ? [(name: "Retry-After", value: pause)] : []
    switch server {
    case .busy: return Shop.answer(429, headers)
    case .weary: return Shop.answer(dice.among([500, 502, 408], else: 500))
    default: return Shop.answer(503, headers)
    }
  }

  /// The line is shared.
  private func next(_ key: MediaKey, _ ticket: Download.Ticket, after least: Double) {
    let share = Double(max(life?.transfers.count ?? 1, 1))
    after(least + Self.piece * share / max(rate, 20_000), .piece(key, ticket))
  }

  static let piece = 400_000.0

  func piece(_ key: MediaKey, _ ticket: Download.Ticket) {
    guard var transfer = transfer(key, ticket) else { return }
    if truth.network == .none || truth.internet != .reached {
      return end(.failed(ticket, dice.chance(oneIn: 2) ? .network(.reset) : .stalled), key)
    }
    if !isCalm, dice.chance(oneIn: 150) { return end(.failed(ticket, .network(.reset)), key) }
    let left = transfer.end - transfer.at
    // A proxy that loses its line ends the body in due form.
    if left == 0 || !isCalm && dice.chance(oneIn: 600) { return end(.ended(ticket), key) }
    let count = min(Int64.random(in: 1...Int64(2 * Self.piece), using: &dice), left)
    let isGarbled = transfer.isGarbled && dice.chance(oneIn: 4)
    if isGarbled { garbled.insert(key) }
    let run = Content.Run(isGarbled ? -transfer.version : transfer.version, from: transfer.at, count: count)
    transfer.at += count
    transfer.pieces = [run]
    life?.transfers[key] = transfer
    counts.bytes += count
    tell(.took(ticket, Int(count)), key)
    guard self.transfer(key, ticket) != nil else { return }
    next(key, ticket, after: 0)
  }

  private func end(_ event: Download.Event, _ key: MediaKey) {
    life?.transfers[key] = nil
    tell(event, key)
  }
}
