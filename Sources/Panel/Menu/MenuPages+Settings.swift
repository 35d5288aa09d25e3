import Application
import Hardware
import Playback
import Runtime

/// The owner's settings, made from the table that their file is read with: whatever is a setting is on the panel.
extension MenuPages {
  /// Among them what is not set, but looked for here: what went wrong, what keys mean, and what this device is.
  /// `notices`: how many of them are new; nil where there is nothing to be told.
  func settings(
    _ settings: Settings = Settings(), waiting: Set<SettingName>, notices: Int? = nil, hasWireless: Bool = false
  ) -> [MenuRow] {
    let told = notices.map { new in [row(.notices, .open(.notices)) { $0.value = new > 0 ? "\(new)" : "" }] } ?? []
    let language = Setting<PanelLanguage>.language.name
    // First of all, and in each script: who reads this one sees it at once, and who does not finds a word of their own
    // below it.
    let title = words.settings.name(of: language)
    let first = MenuRow(title, .open(.setting(language))) {
      let inScripts = [PanelWords.english, .japanese, .arabic].map { $0.settings.name(of: language) }
      $0.detail = words.joined(inScripts.filter { $0 != title })
    }
    let sections = table.choosableSections.map { section -> MenuRow in
      // A page of one row would only be in the way.
      let all = table.choosable(in: section)
      if all.count == 1 { return setting(all[0], settings, waiting: waiting) }
      return MenuRow(words.settings.name(ofSection: section), .open(.settingsOf(section)))
    }
    let network = hasWireless ? [row(.wireless, .open(.wireless))] : []
    let rows = told + [first] + network + sections + [row(.keys, .open(.keys)), row(.about, .open(.about))]
    return waiting.isEmpty ? rows : [row(.startAnew, .perform(.startAnew)) { $0.detail = words[.countsLater] }] + rows
  }

  func settings(
    of section: String, _ settings: Settings, waiting: Set<SettingName>, smart: ShownSmart? = nil, disk: Int64? = nil
  ) -> [MenuRow] {
    table.choosable(in: section).filter { !$0.hasRowElsewhere }.map { entry in
      var row = setting(entry, settings, waiting: waiting, disk: disk)
      if entry.name == Setting<Bool>.offlineSmart.name, let smart { row.value = words[smart.isOn ? .on : .off] }
      return row
    }
  }

  /// `disk`: how many bytes fit on the one that music is kept on, where that is known.
  func setting(
    _ entry: SettingEntry, _ settings: Settings, waiting: Set<SettingName>, disk: Int64? = nil
  ) -> MenuRow {
    let place = place(of: entry, settings, disk: disk)
    return MenuRow(words.settings.name(of: entry.name), place) {
      $0.value = shown(settings.shown(entry), of: entry)
      // What the file has may be more than there is: it is shown as what it comes to.
      if case .open(.dial(let dial)) = place, "\(dial.value)" != settings.text(of: entry) {
        $0.value = dial.text(words)
      }
      if waiting.contains(entry.name) { $0.detail = words[.countsLater] }
    }
  }

  /// A number is turned, all else is chosen from a list. What has a page of its own is chosen there.
  private func place(of entry: SettingEntry, _ settings: Settings, disk: Int64?) -> MenuRow.Action {
    if entry.name == Setting<Bool>.offlineSmart.name { return .open(.smart) }
    guard case .object(let form) = entry.form, case .integer(let least)? = form["minimum"],
      case .integer(let most)? = form["maximum"], let value = Int(settings.text(of: entry)), form["type"] == "whole"
    else { return .open(.setting(entry.name)) }
    var unit = ""
    if case .text(let text)? = form["unit"] { unit = words.settings.unit(text) }
    let room = disk.flatMap { disk in Self.bytes(inUnitOf: entry).map { Int(disk / $0) } }
    let range = Int(least)...max(min(Int(most), room ?? Int(most)), Int(least))
    let subject = Dial.Subject.setting(entry.name, unit: unit)
    guard most - least >= Self.mostSteps else { return .open(.dial(Dial(subject, value, in: range))) }
    return .open(.dial(Dial(subject, min(value, range.upperBound), at: Dial.roundNumbers(in: range))))
  }

  /// A number with more values than this is turned by 1, 2, 5, 10 and so on. The range of the setting counts here, not
  /// the size of this board's disk, so that one setting is turned alike on every board.
  private static let mostSteps: Int64 = 200

  /// How many bytes the unit of this setting has, if it is an amount of room on the disk. Its largest value is then the
  /// size of the disk.
  private static func bytes(inUnitOf entry: SettingEntry) -> Int64? {
    switch entry.name {
    case Setting<Int>.offlineLimit.name: 1_000_000_000
    case Setting<Int>.offlineReserve.name: 1_000_000
    default: nil
    }
  }

  /// What the owner's file says can be gone back to.
  func setting(
    _ name: SettingName, _ settings: Settings, file: Settings = Settings(), disk: Int64? = nil
  ) -> [MenuRow] {
    guard let entry = table.choosable(name) else { return [] }
    let help = words.settings.help(of: entry).map { text($0) } ?? []
    if case .open(.dial) = place(of: entry, settings, disk: disk) {
      return [setting(entry, settings, waiting: [], disk: disk)] + help
    }
    if name == Setting<Set<KioskRight>>.kioskAllows.name { return rights(settings[.kioskAllows]) }
    let now = settings.text(of: entry)
    if entry.isSecret || Self.isWritten(entry) {
      var rows = [row(.writeIt, .open(.write(.setting(entry)))) { $0.value = shown(settings.shown(entry), of: entry) }]
      if !entry.choices.isEmpty {
        rows += entry.choices.map { text in
          MenuRow(shown(text, of: entry), .perform(.choose(name, text))) { $0.sign = text == now ? .current : .none }
        }
      }
      return rows + help
    }
    var all = entry.choices.isEmpty ? Self.steps(of: entry) : entry.choices
    // Four hundred places are found by their region.
    let regions = entry.isTimeZone ? Self.regions(of: all) : []
    if entry.isTimeZone { all.removeAll { $0.contains("/") } }
    for text in [file.text(of: entry), now] where !all.contains(text) { all.insert(text, at: 0) }
    let rows = all.map { text in
      MenuRow(shown(text, of: entry), .perform(.choose(name, text))) { $0.sign = text == now ? .current : .none }
    }
    // What is no word out of a few is written where there is a keyboard.
    let hours = hours(entry, settings)
    let isWhole = !entry.choices.isEmpty && entry.form.isChoice || !Self.steps(of: entry).isEmpty || !hours.isEmpty
    let further = regions.map { MenuRow($0, .open(.settingIn(name, region: $0))) }
    if entry.isTimeZone || entry.isCountry { return rows + further + help }
    return rows + hours + help + (isWhole ? [] : [MenuRow("layby.conf: [\(name.section)] \(name.key)")])
  }

  /// The places of a region, without its name.
  func setting(_ name: SettingName, in region: String, _ settings: Settings) -> [MenuRow] {
    guard let entry = table.choosable(name) else { return [] }
    let now = settings.text(of: entry)
    return entry.choices.filter { $0.hasPrefix("\(region)/") }.map { text in
      MenuRow(Self.zone(text.dropFirst(region.utf8.count + 1)), .perform(.choose(name, text))) {
        $0.sign = text == now ? .current : .none
      }
    }
  }

  private static func regions(of zones: [String]) -> [String] {
    var all: [String] = []
    for zone in zones {
      let parts = zone.split(separator: "/")
      if parts.count > 1, all.last != String(parts[0]) { all.append(String(parts[0])) }
    }
    return all
  }

  /// `New_York` as people write it.
  private static func zone(_ name: some StringProtocol) -> String { String(name.map { $0 == "_" ? " " : $0 }) }

  /// Hours of the day: when they begin and when they end, each by half hours. Where none are set, both begin as in the
  /// file's example.
  private func hours(_ entry: SettingEntry, _ settings: Settings) -> [MenuRow] {
    guard case .object(let form) = entry.form, form["type"] == "hours" else { return [] }
    let now = DayHours(settings.text(of: entry)[...])
    guard let hours = now ?? DayHours(entry.example[...]) else { return [] }
    func end(_ word: Word, _ end: Dial.HoursEnd, _ minute: Int, other: Int) -> MenuRow {
      // Both ends at once would be no hours at all.
      let stops = stride(from: 0, to: 24 * 60, by: 30).filter { $0 != other }
      return row(word, .open(.dial(Dial(.hours(entry.name, end, other: other), minute, at: stops)))) {
        $0.value = now == nil ? "" : DayHours.clock(minute)
      }
    }
    return [end(.from, .from, hours.from, other: hours.to), end(.until, .until, hours.to, other: hours.from)]
  }

  /// Each can be given and taken.
  private func rights(_ given: Set<KioskRight>) -> [MenuRow] {
    KioskRight.allCases.map { right in
      let setting = Setting<Set<KioskRight>>.kioskAllows
      let next = setting.type.format(given.symmetricDifference([right]))
      return MenuRow(words[Self.word(for: right)], .perform(.choose(setting.name, next))) {
        $0.value = words[given.contains(right) ? .on : .off]
      }
    }
  }

  private static func word(for right: KioskRight) -> Word {
    switch right {
    case .library: .library
    case .search: .search
    case .queue: .queue
    case .playlists: .playlists
    case .enqueue: .addToQueue
    case .play: .playNow
    case .pause: .playOrPause
    case .skip: .nextTrack
    case .seek: .forward
    case .volume: .volume
    case .order: .shuffle
    case .sleep: .sleepTimer
    case .sound: .sound
    case .downloads: .downloads
    case .sticks: .sticks
    case .about: .about
    }
  }

  /// Whether its value is a text that somebody writes with the wheel of letters. A text with a row elsewhere (the
  /// equaliser's curve) is made on the page of that row.
  private static func isWritten(_ entry: SettingEntry) -> Bool {
    guard case .object(let form) = entry.form else { return false }
    return form["type"] == "text" && !entry.hasRowElsewhere
  }

  /// Of a duration those that people mean.
  private static func steps(of entry: SettingEntry) -> [String] {
    guard case .object(let form) = entry.form, form["type"] == "duration" else { return [] }
    let all = [
      "0s", "100ms", "250ms", "500ms", "1s", "2s", "3s", "4s", "5s", "8s", "10s", "15s", "30s", "1m", "2m", "5m", "10m",
      "15m", "30m", "60m", "120m",
    ]
    return all.filter { entry.canonical($0) == $0 }
  }

  func shown(_ value: String, of entry: SettingEntry) -> String {
    if case .object(let form) = entry.form, form["type"] == "rights" { return "" }
    return switch value {
    case "yes", "on": words[.on]
    case "no", "off": words[.off]
    case "", "none": "–"
    case _ where entry.isTimeZone && value.contains("/"): Self.zone(value)
    case _ where entry.isCountry && value != RadioCountry.anywhere:
      RadioCountry.name(of: value).map { "\($0) (\(value))" } ?? value
    default: words.settings.choice(value, of: entry) ?? withUnit(value, of: entry)
    }
  }

  /// `10` of a setting in percent is "10 %", and `2m` is "2 min".
  private func withUnit(_ value: String, of entry: SettingEntry) -> String {
    guard case .object(let form) = entry.form else { return value }
    // Hours are read the way the words are, the earlier end first; names of days lead their own way.
    if form["type"] == "hours" { return words.running(Self.hours(value)) }
    if form["type"] == "week" { return words.isolated(Self.hours(value)) }
    if case .text(let unit)? = form["unit"], Int(value) != nil {
      return unit == "percent" ? words.percent(value) : "\(value) \(words.settings.unit(unit))"
    }
    let digits = value.prefix { $0.isNumber }
    guard form["type"] == "duration", let number = Int(digits) else { return value }
    return switch value.dropFirst(digits.count) {
    case "ms": "\(number) ms"
    case "s": "\(number) \(words[.seconds])"
    case "m" where number > 0 && number % 60 == 0: "\(number / 60) \(words[.hours])"
    case "m": "\(number) \(words[.minutes])"
    default: value
    }
  }

  /// `7:00-20:00` is "7–20", `7:30-20:00` is "7:30–20:00", and days have the longer line between them, too.
  private static func hours(_ value: String) -> String {
    let ends = value.split(separator: "-")
    let areWhole = ends.allSatisfy { $0.hasSuffix(":00") }
    return ends.map { areWhole ? $0.dropLast(3) : $0 }.joined(separator: "–")
  }

  func bands(_ status: PlayerStatus) -> [MenuRow] {
    OwnCurve.bands.map { hertz in
      let value = OwnCurve.decibels(at: hertz, of: status.sounding.equaliser)
      return MenuRow(OwnCurve.name(ofBand: hertz), .open(.dial(Dial(.band(hertz), value, in: -12...12)))) {
        $0.value = "\(value > 0 ? "+" : "")\(value) dB"
      }
    }
  }
}

extension SettingEntry {
  fileprivate var isTimeZone: Bool { name == Setting<String>.timeZone.name }
  fileprivate var isCountry: Bool { name == Setting<String>.radioCountry.name }
}

extension JSON {
  fileprivate var isChoice: Bool {
    guard case .object(let form) = self else { return false }
    return form["type"] == "choice"
  }
}
