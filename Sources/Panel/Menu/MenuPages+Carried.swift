import Application
import Runtime

/// What is fetched, and what is brought in by hand.
extension MenuPages {
  /// First what concerns all of them, below that each by itself.
  func downloads(_ all: [ShownDownload]) -> [MenuRow] {
    if all.isEmpty { return [row(.noDownloads, .none)] + waysToKeep + [row(.back, .back)] }
    var rows: [MenuRow] = []
    if all.contains(where: \.isComing) {
      rows.append(row(.pauseAll, .perform(.pauseAllDownloads)) { ($0.isBeside, $0.isAbove) = (true, true) })
    }
    if all.contains(where: { $0.state == .paused }) {
      rows.append(row(.resumeAll, .perform(.resumeAllDownloads)) { ($0.isBeside, $0.isAbove) = (true, true) })
    }
    // First what one waits for; each kind in the order in which it was wanted. While somebody looks, it stays so.
    let order: [ShownDownload.State] = [.running, .waiting, .paused, .failed, .whole]
    return rows
      + order.flatMap { state in all.filter { $0.state == state } }.map { download in
        MenuRow(download.id.title, .open(.download(download.id))) {
          $0.detail = words.joined([download.artist, line(of: download)])
          switch download.state {
          case .running, .waiting, .paused: $0.sign = .progress(part: download.bytes, of: max(download.size, 1))
          case .whole, .failed: break
          }
          $0.value = percent(of: download)
        }
      }
  }

  /// By the gesture that leads to it everywhere, told to whoever may do it.
  private var waysToKeep: [MenuRow] {
    guard manner.rights.allows(Capability.want) else { return [] }
    return text(words.filled(manner.isTouched ? .holdToKeep : .pressToKeep, words[.keepOffline]))
  }

  /// One of them: how it stands and why, what can be done, and what else holds it up. Reasons come and go, and move
  /// nothing that can be pressed.
  func download(_ download: ShownDownload) -> [MenuRow] {
    let id = download.id
    // The smallest panel has room for names alone.
    let first = manner.screen == .tiny || download.state == .running ? nil : download.why.first
    var rows = [
      MenuRow(word(of: download.state), first?.setting.map { .open(.setting($0)) } ?? .none) {
        $0.value = percent(of: download)
        var told = first.map { [$0.words] } ?? []
        if download.size > 0 {
          told.append(words.joined([words.bytes(download.bytes), words.bytes(download.size)], by: " / "))
        }
        $0.detail = words.joined(told + pace(of: download))
        if download.state == .running { $0.sign = .progress(part: download.bytes, of: max(download.size, 1)) }
      }
    ]
    // Before Pause: it may go while it is tried, and then nothing that does harm takes its place.
    let isTried = download.state == .running && download.isTriedAgain
    if download.state == .failed || isTried || download.state == .waiting && download.why.contains(where: \.isRetried) {
      rows.append(row(.retry, .perform(.retryDownload(id))))
    }
    // It stands in the place of Try again until bytes or a reason come, so that no other row moves under the knob.
    let isAsking =
      download.state == .running && download.speed == 0 || download.state == .waiting && download.why.isEmpty
    if isAsking, !isTried { rows.append(row(.asking, .none)) }
    switch download.state {
    case .running, .waiting: rows.append(row(.pause, .perform(.pauseDownload(id))))
    case .paused: rows.append(row(.resume, .perform(.resumeDownload(id))))
    case .failed, .whole: break
    }
    if let offer = download.offer { rows.append(row(.lookThrough, .open(Self.page(of: offer)))) }
    let gone = Question(dropping(id.title, download.bytes), .dropDownload(id), yes: .drop)
    rows.append(row(.drop, .open(.sure(gone))))
    let help = manner.screen != .tiny && download.why.contains(where: \.isAway) ? text(words[.isItOn]) : []
    return rows + download.why.dropFirst(first == nil ? 0 : 1).map { reason($0) } + help
      + download.because.map { MenuRow($0) }
  }

  func word(of state: ShownDownload.State) -> String {
    switch state {
    case .whole: words[.whole]
    case .running: words[.running]
    case .waiting: words[.waiting]
    case .paused: words[.paused]
    case .failed: words[.failed]
    }
  }

  private func line(of download: ShownDownload) -> String {
    // Why it waits is what somebody wants to know; how fast it is, when it does not.
    if let why = download.why.first, download.state != .running { return why.words }
    guard download.state == .running, download.speed > 0 else { return word(of: download.state) }
    return words.joined(pace(of: download))
  }

  /// How fast it comes, and how long that still takes.
  func pace(of download: ShownDownload) -> [String] {
    guard download.state == .running, download.speed > 0 else { return [] }
    return [words.filled(.aSecond, words.bytes(download.speed)), left(of: download)]
  }

  /// Empty until its speed is known.
  func left(of download: ShownDownload) -> String {
    guard download.state == .running, download.speed > 0 else { return "" }
    return download.left.map { words.filled(.importLeft, words.wait($0)) } ?? ""
  }

  /// Where its music is to be seen and played.
  private static func page(of offer: OfferID) -> MenuPlace {
    offer.kind == .track ? .thing(Thing(.offer(offer), offer.title)) : .offer(offer)
  }

  func percent(of download: ShownDownload) -> String {
    guard download.state != .whole, download.size > 0 else { return "" }
    return words.percent("\(min(max(download.bytes, 0) / max(download.size / 100, 1), 100))")
  }

  /// On the smallest panel the number alone has room.
  func free(_ count: Int64) -> String {
    manner.screen == .tiny ? words.bytes(count) : words.labelled(.free, words.bytes(count))
  }

  /// How much more can be kept, which is less than what is free.
  func room(_ count: Int64) -> String {
    manner.screen == .tiny ? words.bytes(count) : words.filled(.stillLeft, words.bytes(count))
  }

  /// It is switched on and off here. What it needs beside that is said below, and then what has come of it, where that is
  /// known.
  func smart(
    _ smart: ShownSmart, _ chosen: [ShownSmartDownload]?, why: [ShownReason] = [], settings: Settings = Settings()
  ) -> [MenuRow] {
    let setting = Setting<Bool>.offlineSmart
    var rows = [true, false].map { isOn in
      row(isOn ? .on : .off, .perform(.choose(setting.name, setting.type.format(isOn)))) {
        $0.sign = isOn == smart.isOn ? .current : .none
        if isOn, smart.isBarred { $0.detail = words[.barred] }
      }
    }
    if let entry = table.choosable(setting.name), let help = words.settings.help(of: entry) { rows += text(help) }
    guard smart.isOn, let chosen else { return rows }
    rows += why.map { self.reason($0) }
    if let entry = table.choosable(Setting<Bool>.offlineSmartOnWired.name) {
      rows.append(self.setting(entry, settings, waiting: []))
    }
    if chosen.isEmpty { return rows + [row(.noneYet, .none)] }
    return rows
      + chosen.map { one in
        let gone = Question(
          words.labelled(.dismissSmartDownload, one.title), .dismissSmartDownload(one.id), yes: .dismissSmartDownload)
        return MenuRow(one.title, .open(.sure(gone))) {
          $0.detail = one.because
          $0.value = one.isWhole ? "" : words.bytes(one.bytes)
        }
      }
  }

  /// What the owner has decided can be decided otherwise.
  private func reason(_ why: ShownReason) -> MenuRow {
    MenuRow(why.words, why.setting.map { .open(.setting($0)) } ?? .none) {
      if why.setting != nil { $0.sign = .leadsOn }
    }
  }

  /// How much is kept, how much more can be, on which disk, and whether anything is wrong.
  func storage(_ storage: ShownStorage) -> [MenuRow] {
    var rows = [
      MenuRow(words[.kept]) {
        $0.value = words.bytes(storage.kept)
        $0.sign = .progress(part: storage.kept, of: max(storage.kept + storage.room, 1))
      },
      MenuRow(words[.roomLeft]) { $0.value = words.bytes(storage.room) },
      storage.trouble.map { reason($0) } ?? row(.allWell, .none),
    ]
    for disk in storage.disks {
      let isAway = !disk.isThere && !disk.isNew
      rows.append(
        MenuRow(disk.name, disk.isHome || isAway ? .none : .open(.sure(moving(to: disk)))) {
          $0.detail = disk.isHome ? words[.kept] : isAway ? words[.notHere] : words[.moveAll]
          $0.value = disk.free.map { free($0) } ?? ""
          $0.isDim = isAway
        })
    }
    rows += [storage.move, storage.check].compactMap(\.self).map { going($0) }
    return rows + [row(.forHelp, .open(.storageDetails))]
  }

  /// What a person who helps asks for.
  func storageDetails(_ storage: ShownStorage) -> [MenuRow] {
    var rows = [
      storage.check == nil ? row(.checkAll, .perform(.check(true))) : row(.stopCheck, .perform(.check(false)))
    ]
    if let check = storage.check { rows.append(going(check)) }
    rows.append(MenuRow(words[.kept]) { $0.value = "\(words.bytes(storage.kept)) / \(words.bytes(storage.limit))" })
    if let free = storage.free {
      rows.append(
        row(.freeOnDisk, .none) { row in
          row.value = ([free] + (storage.total.map { [$0] } ?? [])).map { words.bytes($0) }.joined(separator: " / ")
        })
    }
    return rows + (storage.health.map(went) ?? [])
  }

  private func went(_ health: ShownStorage.Health) -> [MenuRow] {
    let rate = health.success.map { words.percent("\($0 / 10)\(words[.decimalPoint])\($0 % 10)") }
    let rows: [(Word, String?)] = [
      (.succeeded, rate), (.retried, "\(health.retried)"), (.recovered, "\(health.recovered)"),
      (.cleaned, "\(health.cleaned)"),
    ]
    return rows.map { word, value in MenuRow(words[word]) { $0.value = value ?? "-" } }
  }

  private func moving(to disk: ShownStorage.Disk) -> Question {
    Question(words.labelled(.moveAll, disk.name), .move(disk.id), yes: .moveAll)
  }

  private func going(_ work: ShownStorage.Work) -> MenuRow {
    MenuRow(work.title) {
      let left = work.left.map { words.filled(.importLeft, words.wait($0)) } ?? ""
      $0.detail = words.joined([work.why ?? "", left])
      $0.value = words.percent("\(min(max(work.part, 0) / max(work.whole / 100, 1), 100))")
      $0.sign = .progress(part: work.part, of: max(work.whole, 1))
    }
  }

  func sticks(_ all: [ShownStick]) -> [MenuRow] {
    all.map { stick in
      MenuRow(stick.label, stick.isEjected ? .none : .open(.stick(stick))) {
        if stick.isEjected { ($0.detail, $0.isDim) = (words[.ejected], true) }
      }
    }
  }

  func stick(_ stick: ShownStick) -> [MenuRow] {
    var rows: [MenuRow] = []
    if let folder = stick.folder {
      rows += [
        row(.playAll, .perform(.play(Thing(.all(.folder(folder)), stick.label)))),
        row(.lookThrough, .open(.list(.folder(folder), named: stick.label))),
      ]
    }
    return rows + [
      row(.eject, .perform(.ejectStick(stick.id))), row(.copyMusic, .perform(.copyStick(stick.id))), row(.back, .back),
    ]
  }
}
