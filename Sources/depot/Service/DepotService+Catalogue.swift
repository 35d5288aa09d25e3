import Rights
import Runtime
import Services
import Store
import WebServer

/// What there is, and what changed.
extension DepotService {
  // MARK: The account

  func account(_ call: Call) throws(Refusal) -> WebAnswer {
    let caller = try call.caller()
    let devices = try read { connection throws(Fault) in
      try SignedInDevices(connection: connection).of(account: caller.account.id)
    }
    let listed = devices.map { device -> JSON in
      [
        "device": JSON(device.name), "title": JSON(device.title), "since": JSON(device.since),
        "seen": JSON(device.seen), "this": JSON(ExactText(device.name) == ExactText(caller.device.name)),
      ]
    }
    return WebAnswer(json: [
      "name": JSON(caller.account.name), "subscription": JSON(caller.account.subscription?.rawValue ?? "none"),
      "quality": JSON((caller.account.quality ?? .lossless).indexName),
      "devices": .list(listed), "most_devices": JSON(SignedInDevices.mostOfAccount),
    ])
  }

  func removeDevice(_ call: Call) throws(Refusal) -> WebAnswer {
    let (caller, name) = (try call.caller(), try call.name())
    let isRemoved = try write { connection throws(Fault) -> Bool in
      let devices = SignedInDevices(connection: connection)
      guard let device = try devices.named(name), device.account == caller.account.id else { return false }
      try devices.signOut(name)
      return true
    }
    guard isRemoved else { throw .missing("the account has no such device") }
    return WebAnswer(204)
  }

  // MARK: The index and lists

  /// The account's lists, those of a new day or week made anew.
  private func personalLists(_ account: Account, at now: Int64) throws(Refusal) -> [PersonalLists.List] {
    let lists = try read { connection throws(Fault) in try PersonalLists(connection: connection).of(account: account.id)
    }
    var isOld = false
    for list in lists where list.every.map({ $0.number(at: now) }) != list.period { isOld = true }
    guard isOld else { return lists }
    let paths = snapshot.index.items.map(\.id)
    return try write { connection throws(Fault) in
      let table = PersonalLists(connection: connection)
      let revoked = try Revocations(connection: connection).paths()
      let there = paths.filter { !revoked.contains(ExactText($0)) }
      for list in try table.of(account: account.id) {
        guard let period = list.every?.number(at: now), period != list.period else { continue }
        let chosen = try ListPeriod.choice(
          of: there, list.size, period: period, "\(account.id)\n\(list.name)", self.seals.lists)
        try table.renew(list, chosen, period: period, account: account.id)
      }
      return try table.of(account: account.id)
    }
  }

  func index(_ call: Call) throws(Refusal) -> WebAnswer {
    let caller = try call.caller()
    let (snapshot, lists) = (snapshot, try personalLists(caller.account, at: call.now))
    let (revoked, version) = try read { connection throws(Fault) -> (Set<ExactText>, String) in
      let revocations = Revocations(connection: connection)
      return (try revocations.paths(), try CatalogueTable(connection: connection).version())
    }
    let said = lists.map { list in "\(list.name)\n\(list.paths.joined(separator: "\n"))\n" }.joined(separator: "\n")
    let limit = caller.account.quality
    let sum = try Refusal.soundly { () throws(Fault) in
      try Sums.of("\(snapshot.stamp.text)\n\(version)\n\(limit?.indexName ?? "")\n\(said)")
    }
    let tag = "\"\(Base64.encodeURL(Array(sum.prefix(18))))\""
    let headers = [(name: "ETag", value: tag)]
    if Self.names(tag, in: call.request.header("If-None-Match")) {
      return WebAnswer(304, headers + [(name: "Cache-Control", value: "private, no-cache")])
    }
    var index = snapshot.index
    index.limit(to: limit)
    index.items.removeAll { revoked.contains(ExactText($0.id)) }
    let known = Set(index.items.map { ExactText($0.id) })
    let own = Set(lists.map { ExactText($0.name) })
    index.lists =
      index.lists.filter { !own.contains(ExactText($0.name)) }
      + lists.map { DirectoryIndex.List(name: $0.name, items: $0.paths) }
    for place in index.lists.indices { index.lists[place].items.removeAll { !known.contains(ExactText($0)) } }
    return WebAnswer(
      200, headers + [("Content-Type", "application/json"), ("Cache-Control", "private, no-cache")], index.fileBytes)
  }

  func lists(_ call: Call) throws(Refusal) -> WebAnswer {
    let caller = try call.caller()
    let lists = try personalLists(caller.account, at: call.now)
    let listed = lists.compactMap { list -> JSON? in
      list.every.map { ["name": JSON(list.name), "every": JSON($0.rawValue)] }
    }
    return WebAnswer(json: ["lists": .list(listed)])
  }

  // MARK: Paging and searching

  func catalogue(_ call: Call) throws(Refusal) -> WebAnswer {
    _ = try call.caller()
    let query = try call.query()
    let after = try call.number("after", query, 0...Int64.max, otherwise: 0)
    let limit = Int(try call.number("limit", query, 1...1_000, otherwise: 200))
    let page = try read { connection throws(Fault) in
      try CatalogueTable(connection: connection).page(after: after, limit + 1)
    }
    let next = page.count > limit ? page.prefix(limit).last.map { ",\"next\":\"\($0.id)\"" } ?? "" : ""
    return Self.items(page.prefix(limit).map(\.text), next)
  }

  func search(_ call: Call) throws(Refusal) -> WebAnswer {
    _ = try call.caller()
    let query = try call.query()
    guard let question = query["q"], (1...100).contains(question.unicodeScalars.count) else {
      throw .wrong("\"q\" must have 1 to 100 characters")
    }
    let limit = Int(try call.number("limit", query, 1...200, otherwise: 50))
    let words = CatalogueTable.words(of: question)
    guard !words.isEmpty else { return Self.items([], "") }
    let found = try read { connection throws(Fault) in try CatalogueTable(connection: connection).search(words, limit) }
    return Self.items(found, "")
  }

  /// The items are JSON already.
  private static func items(_ items: [String], _ rest: String) -> WebAnswer {
    WebAnswer(json: Array("{\"items\":[\(items.joined(separator: ","))]\(rest)}".utf8))
  }

  // MARK: Changes

  func changes(_ call: Call) throws(Refusal) -> WebAnswer {
    let (caller, query) = (try call.caller(), try call.query())
    let limit = Int(try call.number("limit", query, 1...1_000, otherwise: 500))
    _ = try personalLists(caller.account, at: call.now)
    guard let since = query["since"] else {
      let token = try read { connection throws(Fault) in try CatalogueTable(connection: connection).newestToken() }
      return WebAnswer(json: ["changes": [], "next": JSON(token.text), "more": false])
    }
    guard let token = ChangeToken(since) else { throw .wrong("\"since\" must be what an answer had as \"next\"") }
    let found = try read { connection throws(Fault) -> (newest: ChangeToken, changes: [CatalogueTable.Change])? in
      let table = CatalogueTable(connection: connection)
      guard try table.knows(token) else { return nil }
      // The newest first: what another process commits in between belongs to the next answer.
      let newest = try table.newestToken()
      return (
        newest,
        try table.changes(after: token.number, upTo: newest.number, account: caller.account.id, limit + 1)
      )
    }
    guard let found else {
      throw Refusal(410, "Begin anew", "this list of changes is another one than that token is of")
    }
    let (isMore, page) = (found.changes.count > limit, found.changes.prefix(limit))
    var next = found.newest
    if isMore, let last = page.last { next = ChangeToken(epoch: next.epoch, number: last.number, mark: last.mark) }
    let listed = page.map { change -> JSON in
      let name = change.path.map { ("path", JSON($0)) } ?? ("list", JSON(change.list ?? ""))
      return .object(JSON.Object([name, ("gone", JSON(change.isGone))]))
    }
    return WebAnswer(json: ["changes": .list(Array(listed)), "next": JSON(next.text), "more": JSON(isMore)])
  }

  func flags(_ call: Call) throws(Refusal) -> WebAnswer {
    let caller = try call.caller()
    let flags = try read { connection throws(Fault) -> [(String, JSON)] in
      let rows = try connection.rows("SELECT name, is_on, share FROM flag ORDER BY name") { row in
        (name: row.text(0) ?? "", isOn: row.integer(1) == 1, share: row.integer(2) ?? 0)
      }
      var flags: [(String, JSON)] = []
      for row in rows where try FlagShare.holds(caller.device.name, for: row.name, share: row.share) {
        flags.append((row.name, JSON(row.isOn)))
      }
      return flags
    }
    return WebAnswer(json: ["flags": .object(JSON.Object(flags))])
  }
}
