import Ciphers
import Glibc
import Rights
import Runtime
import Services
import Store

/// What the keeper of a depot does with accounts, subscriptions, lists and revocations. A server that runs sees it at once.
struct AccountCommand {
  private let depot: Depot
  private let store: ServiceStore
  private let now = Int64(time(nil))

  init(_ depot: FilePath) throws(Fault) {
    self.depot = try Depot(at: depot)
    store = try ServiceStore(in: self.depot.secretFolder)
  }

  // MARK: Accounts

  func account(_ words: [String]) throws(Fault) -> String {
    switch (words.first, words.count) {
    case ("list", 1): return try list()
    case ("add", 2), ("add", 4):
      var password: String?
      if words.count == 4 {
        guard words[2] == "--password-from" else { throw Self.unclear }
        password = try Self.password(from: words[3])
      }
      return try add(words[1], password)
    case ("password", 2), ("password", 4):
      var password: String?
      if words.count == 4 {
        guard words[2] == "--password-from" else { throw Self.unclear }
        password = try Self.password(from: words[3])
      }
      let made = password ?? Self.madePassword()
      try setPassword(of: words[1], made)
      return password == nil ? "\(words[1]) has the password \(made)" : "\(words[1]) has another password"
    case ("quality", 3):
      let quality = Quality(indexName: words[2])
      guard quality != nil || words[2] == "all" else { throw Self.unclear }
      try change(words[1]) { account, connection throws(Fault) in
        try Accounts(connection: connection).set(quality == .lossless ? nil : quality, of: account)
      }
      return "\(words[1]) is for \(quality?.words ?? "all there is")"
    case ("remove", 2):
      try change(words[1]) { account, connection throws(Fault) in
        try Accounts(connection: connection).remove(account)
      }
      return "\(words[1]) is removed, and its devices are signed out"
    default: throw Self.unclear
    }
  }

  private static let unclear = Fault(
    .malformed, "D-105",
    "expected: depot account DEPOT add NAME [--password-from FILE|-], password NAME [...], quality NAME low, normal, high,"
      + " very_high or all, remove NAME, or list")

  func setPassword(of name: String, _ password: String) throws(Fault) {
    let sum = try PasswordSum(of: password)
    try change(name) { account, connection throws(Fault) in
      try Accounts(connection: connection).set(sum, of: account)
    }
  }

  func add(_ name: String, _ said: String?) throws(Fault) -> String {
    let password = said ?? Self.madePassword()
    let sum = try PasswordSum(of: password)
    let now = now
    try store.write { connection throws(Fault) in try Accounts(connection: connection).add(name, sum, at: now) }
    return said == nil ? "\(name) is added, with the password \(password)" : "\(name) is added"
  }

  /// Ninety bits in letters that nobody confuses.
  static func madePassword() -> String {
    let letters = Array("bcdfghjkmnpqrstvwxz23456789".utf8)
    let chosen = (0..<20).map { _ in letters[Int(arc4random_uniform(UInt32(letters.count)))] }
    return stride(from: 0, to: 20, by: 5).map { String(decoding: chosen[$0..<$0 + 5], as: UTF8.self) }
      .joined(separator: "-")
  }

  /// The first line; never from the command line, which everybody on the machine can read.
  private static func password(from file: String) throws(Fault) -> String {
    let bytes =
      file == "-"
      ? try Descriptor(taking: dup(STDIN_FILENO)).readAll(limit: 4_096, code: "D-106", doing: "read the password")
      : try AtomicFile.read(FilePath(file), limit: 4_096)
    let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    guard PasswordSum.lengths.contains(line.utf8.count) else {
      let lengths = PasswordSum.lengths
      throw Fault(
        .malformed, "D-107", "a password has \(lengths.lowerBound) to \(lengths.upperBound) bytes, in the first line")
    }
    return line
  }

  private func list() throws(Fault) -> String {
    let all = try store.read { connection throws(Fault) in try Accounts(connection: connection).all() }
    return all.map { account, devices in
      "\(account.name)\t\(account.subscription?.rawValue ?? "none")\t\(account.quality?.words ?? "all")\t\(devices) devices"
    }.joined(separator: "\n")
  }

  private func change(
    _ name: String, _ body: (Account, Connection) throws(Fault) -> Void
  ) throws(Fault) {
    try store.write { connection throws(Fault) in
      guard let account = try Accounts(connection: connection).named(name) else {
        throw Fault(.malformed, "D-154", "there is no account \(shownBriefly(name))")
      }
      try body(account, connection)
    }
  }

  // MARK: Subscriptions

  /// `ACCOUNT active|lapsed [--grace-days N]|cancelled|free|none`
  func subscription(_ words: [String]) throws(Fault) -> String {
    guard words.count == 2 || (words.count == 4 && words[1] == "lapsed" && words[2] == "--grace-days") else {
      throw Self.noSubscription
    }
    let subscription = Subscription(rawValue: words[1])
    guard subscription != nil || words[1] == "none" else { throw Self.noSubscription }
    let days = words.count == 4 ? try LicenceTerms.days(words[3], words[2], most: 365) : 14
    let graceEnds = subscription == .lapsed ? now + days * LicenceTerms.day : nil
    try change(words[0]) { account, connection throws(Fault) in
      try Accounts(connection: connection).set(subscription, graceEnds: graceEnds, of: account)
    }
    return "\(words[0]) is \(words[1])" + (graceEnds == nil ? "" : ", and goes on for \(days) days")
  }

  private static let noSubscription = Fault(
    .malformed, "D-155",
    "expected: depot subscription DEPOT ACCOUNT active, lapsed [--grace-days N], cancelled, free or none")

  // MARK: Lists and flags

  /// `ACCOUNT NAME --every day|week [--tracks N]`, `ACCOUNT NAME PATH...`, `ACCOUNT NAME --remove`
  func list(_ words: [String]) throws(Fault) -> String {
    guard words.count >= 3, (1...100).contains(words[1].utf8.count), words[1].unicodeScalars.allSatisfy(isPlain) else {
      throw Self.noList
    }
    let (name, rest) = (words[1], Array(words.dropFirst(2)))
    if rest == ["--remove"] {
      try change(words[0]) { account, connection throws(Fault) in
        guard try PersonalLists(connection: connection).remove(name, of: account) else {
          throw Fault(.malformed, "D-156", "the account has no list \(name)")
        }
      }
      return "\(name) is removed"
    }
    var every: ListPeriod?
    var size: Int64 = 30
    if rest[0] == "--every" {
      every = rest.count > 1 ? ListPeriod(rawValue: rest[1]) : nil
      guard every != nil, rest.count == 2 || (rest.count == 4 && rest[2] == "--tracks") else { throw Self.noList }
      if rest.count == 4 { size = try LicenceTerms.days(rest[3], rest[2], most: 500) }
    }
    let known = Set(try depot.index().items.map { ExactText($0.id) })
    let paths = every == nil ? rest : []
    for path in paths where !known.contains(ExactText(path)) {
      throw Fault(.malformed, "D-157", "\(shownBriefly(path)) is no track of the depot's index")
    }
    try change(words[0]) { account, connection throws(Fault) in
      try PersonalLists(connection: connection).add(name, every: every, size: Int(size), paths, to: account)
    }
    return "\(name) is a list of \(words[0])"
  }

  private static let noList = Fault(
    .malformed, "D-158",
    "expected: depot list DEPOT ACCOUNT NAME and PATH..., --every day|week [--tracks N], or --remove")

  /// `NAME on|off [--share PERCENT]`, `NAME remove`
  func flag(_ words: [String]) throws(Fault) -> String {
    let said = words.dropFirst().first
    var share: Int64? = FlagShare.all
    if words.count == 4, words[2] == "--share", said != "remove" {
      share = Int64(words[3]).flatMap { (0...FlagShare.all).contains($0) ? $0 : nil }
    }
    guard words.count == 2 || words.count == 4, let share, let said, Accounts.isName(words[0]),
      ["on", "off", "remove"].contains(said), words.count == 2 || (words[2] == "--share" && said != "remove")
    else {
      throw Fault(
        .malformed, "D-159",
        "expected: depot flag DEPOT NAME on or off [--share 0 to 100], or depot flag DEPOT NAME remove")
    }
    try store.write { connection throws(Fault) in
      if said == "remove" {
        try connection.run("DELETE FROM flag WHERE name = ?", [SQLValue(words[0])])
      } else {
        try connection.run(
          "INSERT OR REPLACE INTO flag(name, is_on, share) VALUES (?, ?, ?)",
          [SQLValue(words[0]), .integer(said == "on" ? 1 : 0), .integer(share)])
      }
    }
    return "\(words[0]): \(said)\(share < FlagShare.all ? " for \(share) % of all devices" : "")"
  }

  // MARK: Revocations

  /// `DEVICE|ALBUM|PATH... --why TEXT`, or with `--undo` what was taken back is given again.
  func revoke(_ words: [String]) throws(Fault) -> String {
    var (subjects, why, isUndone) = ([String](), String?.none, false)
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--why": why = rest.popFirst()
      case "--undo": isUndone = true
      default: subjects.append(word)
      }
    }
    guard !subjects.isEmpty, isUndone || !(why ?? "").isEmpty, (why ?? "").utf8.count <= 200 else {
      throw Fault(
        .malformed, "D-165",
        "expected: depot revoke DEPOT DEVICE, ALBUM or PATH, and --why with at most 200 bytes, or --undo")
    }
    let index = try depot.index()
    var found: [(kind: Revocations.Kind, id: String)] = []
    for subject in subjects { found += try self.subject(subject, in: index) }
    let (now, reason, all) = (now, why ?? "", found)
    try store.write { connection throws(Fault) in
      let revocations = Revocations(connection: connection)
      let table = CatalogueTable(connection: connection)
      for one in all {
        if isUndone {
          try revocations.remove(one.kind, one.id)
        } else {
          try revocations.add(one.kind, one.id, why: reason, at: now)
        }
        if one.kind == .path { try table.note(nil, path: one.id, list: nil, isGone: !isUndone) }
      }
      if !isUndone { try revocations.checkLength() }
    }
    let files = try depot.renewStatements()
    let done = isUndone ? "given again" : "taken back"
    return "\(done): \(subjects.map { shownBriefly($0) }.joined(separator: ", ")); \(files) devices' files say so"
  }

  /// What a word means: a path of the index, an album's title or id, or a device.
  private func subject(
    _ word: String, in index: DirectoryIndex
  ) throws(Fault) -> [(kind: Revocations.Kind, id: String)] {
    let exact = ExactText(word)
    if let item = index.item(word) { return keys(of: item) }
    let items = index.items.filter { item in
      item.album.map { ExactText($0) } == exact
        || item.albumID.map { ExactText(LicenceParcel.id(ofAlbum: $0)) } == exact
    }
    if !items.isEmpty {
      let ids = Set(items.compactMap(\.albumID).map { ExactText(LicenceParcel.id(ofAlbum: $0)) })
      // An album that is too large for one licence has others, whose ids go on behind a slash.
      let licences = LicenceParcel.all(of: index).map(\.id).filter { id in
        ids.contains {
          ExactText(id) == $0 || id.hasPrefix("\($0.text)/") && Int(id.dropFirst($0.text.count + 1)) != nil
        }
      }
      return licences.map { (.licence, $0) } + items.flatMap { keys(of: $0) }
    }
    if word.utf8.count == 43, Base64.decodeURL(word)?.count == 32 { return [(.device, word)] }
    throw Fault(
      .malformed, "D-166",
      "\(shownBriefly(word)) is no device, no album and no path of the index; layby rights shows a device's name")
  }

  private func keys(of item: DirectoryIndex.Item) -> [(kind: Revocations.Kind, id: String)] {
    let paths = Set(([item.file] + item.variants.values).map { ExactText($0.path.text) })
    return [(.path, item.id)]
      + depot.tracks.filter { paths.contains(ExactText($0.path)) }.map { (.track, "\($0.key)") }
  }
}
