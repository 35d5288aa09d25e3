import Offline
import Runtime

/// What people do with it, and what comes of that.
extension Week {
  func actAsOwner() {
    if dice.chance(oneIn: 4) { changeShop() }
    guard let life, life.isReady else { return }
    let containers = shop.containers.keys.sorted()
    let some = dice.among(containers, else: Self.cache)
    let item = Shop.item(Int.random(in: 0..<shop.wares.count, using: &dice))
    switch Int.random(in: 0..<12, using: &dice) {
    case 0...3: want(some, at: dice.among([.normal, .high, .high, .veryHigh], else: .high))
    case 4: drop(some)
    case 5: leaveOut(item)
    case 6: pauseSome()
    case 7: everything { _ in .resume }
    // Seldom: nobody looks at a list of what has failed.
    case 8: if dice.chance(oneIn: 8) { tryAgain() }
    case 9: makeException(item)
    case 10: lose()
    default: play(item)
    }
    predict()
  }

  static let cache = Shop.container(.cache, "cache")
  static let smart = Shop.container(.predicted, "smart")

  private func state(_ key: MediaKey) -> DownloadRecord.State? { life?.carriages[key]?.download.state }

  // MARK: Wishes

  func want(_ container: ContainerKey, at quality: Quality, _ rank: Rank? = nil) {
    guard let life else { return }
    let items = shop.items(container)
    switch life.intents.want(container, at: quality, items) {
    case .refused: counts.refused += 1
    case .wanted(let change):
      counts.wanted += 1
      life.ranks[container] = rank ?? usualRank(container)
      ledger.wishes[container] = (quality, items.map(\.key))
      follow(change, container)
    }
  }

  private func drop(_ container: ContainerKey) {
    guard let life else { return }
    let before = life.intents.wishes[container]?.items ?? []
    ledger.wishes[container] = nil
    follow(life.intents.drop(container))
    for item in before { if let key = life.intents.key(of: item.key), self.life === life { plan(key) } }
  }

  private func leaveOut(_ item: ItemKey) {
    guard let life else { return }
    if ledger.leftOut.remove(item) != nil { return follow(life.intents.takeIn(item)) }
    ledger.leftOut.insert(item)
    follow(life.intents.leaveOut(item))
  }

  /// Stored before anything is done about it; what the power leaves undone is seen at the next start.
  func follow(_ change: Wants.Change, _ container: ContainerKey? = nil) {
    guard let life else { return }
    stored = life.intents
    for key in change.queued + change.replaced.map(\.new) where self.life === life { begin(key) }
    for key in change.replaced.map(\.old) + change.dropped where self.life === life {
      isExcepted.remove(key)
      plan(key)
      leave(key)
    }
    for item in container.flatMap({ life.intents.wishes[$0]?.items }) ?? [] where self.life === life {
      if let key = life.intents.key(of: item.key) { plan(key) }
    }
  }

  /// A list that was made anew, an item with other bytes.
  private func changeShop() {
    let some = (0..<4).map { _ in Int.random(in: 0..<shop.wares.count, using: &dice) }
    if dice.chance(oneIn: 2) {
      // Where it hurts most: in the middle of it, and of what no sum is told.
      let begun = rows.values.filter { $0.durable > 0 && $0.state != .completed && $0.state != .cancelled }.map(\.key)
      let silent = begun.filter { !shop.ware($0).tellsHash }
      let key = (silent.isEmpty || dice.chance(oneIn: 3) ? begun : silent).sorted().randomElement(using: &dice)
      shop.wares[key.map { Shop.number($0.item) } ?? some[0]].version += 1
      counts.versions += 1
    }
    let lists = shop.containers.keys.filter { $0.kind == .playlist }.sorted()
    let list = dice.among(lists, else: Self.cache)
    var numbers = shop.containers[list] ?? []
    if let first = numbers.first { numbers.removeAll { $0 == first } }
    shop.containers[list] = numbers + some.dropFirst()
    guard let life, life.isReady, let wish = ledger.wishes[list] else { return }
    let items = shop.items(list)
    ledger.wishes[list] = (wish.quality, items.map(\.key))
    let before = life.intents.wishes[list]?.items ?? []
    follow(life.intents.follow(list, items), list)
    for item in before { if let key = life.intents.key(of: item.key), self.life === life { plan(key) } }
  }

  private func tryAgain() {
    guard let life else { return }
    for key in life.carriages.keys.sorted() where state(key) == .failed && self.life === life { tell(.again, key) }
  }

  private func pauseSome() {
    guard let life, let key = life.intents.keys.sorted().randomElement(using: &dice) else { return }
    tell(.pause, key)
  }

  private func everything(_ event: (MediaKey) -> Download.Event) {
    guard let life else { return }
    for key in life.carriages.keys.sorted() where self.life === life { tell(event(key), key) }
  }

  private func makeException(_ item: ItemKey) {
    guard let life, let key = life.intents.key(of: item) else { return }
    isExcepted.insert(key)
    life.planner.set(key, excepted: true)
  }

  /// Somebody's hands: a whole file is gone.
  private func lose() {
    guard let life, isDiskThere else { return }
    let here = life.carriages.keys.filter { state($0) == .completed }.sorted()
    guard let key = here.randomElement(using: &dice) else { return }
    disk.remove(whole(key))
    tell(.lost, key)
  }

  // MARK: Listening

  /// What is here is played; what is not is a download that is played while it grows.
  private func play(_ item: ItemKey) {
    guard let life else { return }
    let hour = minute / 60
    let session = Int(now.nanoseconds / 3_600_000_000_000)
    for _ in 0..<4 { history.append(Prediction.Play(item, day: day, hour: hour, session: session)) }
    if let key = life.intents.key(of: item), state(key) == .completed { return }
    counts.streams += 1
    var cached = ledger.wishes[Self.cache]?.items ?? []
    cached.removeAll { $0 == item }
    life.ranks[Self.cache] = .playing
    setCache(cached + [item])
    life.ranks[Self.cache] = .older
  }

  func setCache(_ items: [ItemKey]) { set(Self.cache, items) }

  private func set(_ container: ContainerKey, _ items: [ItemKey]) {
    guard let life else { return }
    let wares = items.map { Wants.Item($0, length: .seconds(200), bytes: shop.wares[Shop.number($0)].size) }
    switch life.intents.want(container, at: .high, wares) {
    case .refused: counts.refused += 1
    case .wanted(let change):
      if life.ranks[container] == nil { life.ranks[container] = usualRank(container) }
      ledger.wishes[container] = (.high, items)
      follow(change, container)
    }
  }

  func forget(_ items: Set<ItemKey>) {
    for container in [Self.cache, Self.smart] {
      guard let wish = ledger.wishes[container], wish.items.contains(where: items.contains) else { continue }
      set(container, wish.items.filter { !items.contains($0) })
    }
  }

  static let budget: Int64 = 40_000_000

  /// A round of smart downloads; what is here already costs nothing more, and what left them goes.
  func predict() {
    guard let life, life.isReady, rules.isPredicting, !isCalm, !history.isEmpty else { return }
    let asked = ledger.asked
    var smart = SmartDownloads()
    smart.budget = Self.budget
    let found = Prediction(history: history).candidates(day: day, hour: minute / 60)
    let offers = found.filter { asked[$0.item] == nil }.map { one in
      let size = shop.size(one.item.at(.high), shop.wares[Shop.number(one.item)].version)
      return SmartDownloads.Offer(one.item, because: one.reasons, bytes: size)
    }
    let chosen = smart.round(offers, at: 0).new
    counts.predicted += chosen.count
    set(Self.smart, chosen)
  }
}
