import Runtime

/// What is fetched, and what is brought in by hand.
extension MenuPages {
  func downloads(_ all: [ShownDownload]) -> [MenuRow] {
    all.map { download in
      MenuRow(download.id.title, .open(.download(download.id))) {
        $0.detail = line(of: download)
        switch download.state {
        case .running, .waiting, .paused: $0.sign = .progress(part: download.bytes, of: max(download.size, 1))
        case .whole, .failed: break
        }
        $0.value = percent(of: download)
      }
    }
  }

  /// One of them: how it stands, why, and what can be done.
  func download(_ download: ShownDownload) -> [MenuRow] {
    let id = download.id
    var rows = [
      MenuRow(word(of: download.state)) {
        $0.value = percent(of: download)
        if download.size > 0 { $0.detail = "\(Self.bytes(download.bytes)) / \(Self.bytes(download.size))" }
        if download.state == .running { $0.sign = .progress(part: download.bytes, of: max(download.size, 1)) }
      }
    ]
    rows += download.why.map { MenuRow($0) }
    rows += download.because.map { MenuRow($0) }
    switch download.state {
    case .running, .waiting: rows.append(row(.pause, .wish(.pauseDownload(id))))
    case .paused: rows.append(row(.resume, .wish(.resumeDownload(id))))
    case .failed, .whole: break
    }
    if download.state == .failed || download.state == .waiting {
      rows.append(row(.retry, .wish(.retryDownload(id))))
    }
    let gone = Question("\(words[.drop]): \(id.title)", .dropDownload(id), yes: .drop)
    return rows + [row(.drop, .open(.sure(gone)))]
  }

  private func word(of state: ShownDownload.State) -> String {
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
    if let why = download.why.first, download.state != .running { return why }
    guard download.state == .running, download.speed > 0 else { return word(of: download.state) }
    let speed = "\(Self.bytes(download.speed))/s"
    return download.left.map { "\(speed) · \($0.clock)" } ?? speed
  }

  private func percent(of download: ShownDownload) -> String {
    guard download.state != .whole, download.size > 0 else { return "" }
    return "\(min(max(download.bytes, 0) / max(download.size / 100, 1), 100)) %"
  }

  /// As a person says it: 950 kB, 4.2 MB, 12 GB.
  static func bytes(_ count: Int64) -> String {
    var (whole, unit) = (max(count, 0), 0)
    let units = ["B", "kB", "MB", "GB", "TB"]
    var tenths = whole * 10
    if whole > Int64.max / 10 { (whole, tenths) = (Int64.max / 10, Int64.max) }
    while tenths >= 9_995, unit < units.count - 1 {
      tenths = (tenths + 500) / 1_000
      unit += 1
    }
    return unit == 0 || tenths >= 100
      ? "\((tenths + 5) / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  func sticks(_ all: [ShownStick]) -> [MenuRow] {
    all.flatMap { stick -> [MenuRow] in
      var rows: [MenuRow] = []
      if let folder = stick.folder {
        rows.append(MenuRow(stick.label, .open(.list(.folder(folder), named: stick.label))))
      } else {
        rows.append(MenuRow(stick.label))
      }
      rows.append(row(.copyMusic, .wish(.copyStick(stick.id))) { $0.detail = stick.label })
      return rows + [row(.eject, .wish(.ejectStick(stick.id))) { $0.detail = stick.label }]
    }
  }
}
