import Glibc
import Hardware
import Offline
import Remote
import Runtime
import Services

/// What the kernel and the clock tell, as transfers see it.
extension TransferConditions {
  /// `needsInternet`: else what is near is enough, by any link that has an address.
  mutating func hear(_ state: NetworkState, needsInternet: Bool) {
    let near = state.links.first { $0.isUp && !$0.addresses.isEmpty }
    guard let link = state.active ?? (needsInternet ? nil : near) else {
      (network, isMetered, internet) = (.none, false, .none)
      return
    }
    network =
      switch link.kind {
      case .wifi: .wifi
      case .mobile: .mobile
      // A tunnel costs what the link below it costs, which nobody can see from here.
      case .wired, .other: .wired
      }
    isMetered = link.isMetered
    switch state.reach {
    // Only what somebody has seen shows whose page it is that comes in place of music.
    case .internet: internet = state.isProven ? .reached : .unknown
    case .portal: internet = .portal
    case .local, .none: internet = needsInternet ? .none : .unknown
    }
  }

  mutating func hear(_ state: PowerState) {
    battery = state.hasBattery ? state.level : nil
    hasCharger = state.isPlugged
  }

  /// Seconds since 1970, by the clock that the board has.
  mutating func hear(date: Int64) {
    guard date >= Self.firstCredible else {
      minute = nil
      return
    }
    var seconds = time_t(date)
    var parts = tm()
    localtime_r(&seconds, &parts)
    minute = Int(parts.tm_hour) * 60 + Int(parts.tm_min)
  }

  /// How many seconds the clock where the board is was ahead of the world's then.
  static func zone(at date: Int64) -> Int64 {
    var seconds = time_t(date)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return Int64(parts.tm_gmtoff)
  }

  /// The program is younger than this; a clock that says less was never set.
  static let firstCredible: Int64 = 1_767_225_600
}

extension TransferRules {
  init(_ settings: Settings, _ flags: Flags = Flags()) {
    self.init()
    limit = Int64(settings[.offlineLimit]) * 1_000_000_000
    reserve = Int64(settings[.offlineReserve]) * 1_000_000
    // What was done before stands in for what is switched off.
    atOnce = flags.isOn(.parallelDownloads) ? settings[.offlineAtOnce] : 1
    isPredicting = settings[.offlineSmart] && flags.isOn(.smartDownloads)
    predictsOnWired = settings[.offlineSmartOnWired]
    looksAfter = flags.isOn(.lookAfter)
    quality.downloads = .init(named: settings[.offlineQuality])
    quality.streams = .init(named: settings[.streamQuality])
    downloadsOnMetered = settings[.offlineOnMetered]
    streamsOnMetered = settings[.streamOnMetered]
    cap = Self.cap(settings)
    hours = settings[.offlineHours].map { Hours(from: $0.from, to: $0.to) }
    settling = settings[.offlineSettling]
  }

  /// Bytes a second; nil where as much may come as there is.
  static func cap(_ settings: Settings) -> Int64? {
    let kilobytes = settings[.offlineBandwidth]
    return kilobytes > 0 ? Int64(kilobytes) * 1_000 : nil
  }
}

extension QualityChoice.Setting {
  /// `auto`, or what a quality is called.
  init(named name: String) {
    self = Quality(named: name).map { .fixed($0) } ?? .auto
  }
}
