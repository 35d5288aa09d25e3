/// Something new that may turn out to be a mistake on a board that nobody here has seen. What is not proven yet begins
/// switched off. The owner's file gives each and takes it back, and what was done before stands in for what is off.
package enum Flag: String, Sendable, CaseIterable {
  case smartDownloads = "smart-downloads"
  case parallelDownloads = "parallel-downloads"
  case lookAfter = "look-after"
  case http2

  /// False for what is not proven yet.
  package var beginsOn: Bool {
    switch self {
    case .smartDownloads, .parallelDownloads, .lookAfter: true
    case .http2: false
    }
  }

  package var help: String {
    switch self {
    case .smartDownloads: "Music that may be wanted is fetched unasked, where [offline] smart says so; off: never."
    case .parallelDownloads: "Several files are fetched at once; off: one after the other."
    case .lookAfter: "Whole files are read again when nothing else is to be done; off: only when somebody asks for it."
    case .http2: "Servers are spoken to by HTTP/2 where they know it; off, as it begins: by HTTP/1.1."
    }
  }
}

/// Which of them are on, and who says so. A value.
package struct Flags: Equatable, Sendable {
  package enum State: String, Equatable, Sendable {
    /// As it begins.
    case on
    case off
    case onByOwner
    case offByOwner
    /// For a share of all devices, of which this is one.
    case onByService
    case offByService

    package var isOn: Bool {
      switch self {
      case .on, .onByOwner, .onByService: true
      case .off, .offByOwner, .offByService: false
      }
    }

    package var words: String {
      switch self {
      case .on: "on"
      case .off: "off until layby.conf says on"
      case .onByOwner: "on, by layby.conf"
      case .offByOwner: "off, by layby.conf"
      case .onByService: "on, by the service"
      case .offByService: "off, by the service"
      }
    }
  }

  /// What a service says of one.
  package struct Word: Equatable, Sendable {
    /// By its name, which this program may not know.
    package var flag: String
    /// For so many per cent of all devices it is not as it begins.
    package var share: Double

    package init(_ flag: String, changedFor share: Double) { (self.flag, self.share) = (flag, share) }
  }

  private var byOwner: [Flag: Bool] = [:]
  private var changedByService: Set<Flag> = []

  package init() {}

  package init(_ settings: Settings) {
    for flag in Flag.allCases where settings.says(.flag(flag)) { byOwner[flag] = settings[.flag(flag)] }
  }

  /// In the place of what the service said before. `device`: what tells this one from all others.
  package mutating func hear(_ words: [Word], on device: String) {
    changedByService = []
    for word in words {
      guard let flag = Flag(rawValue: word.flag), Self.place(of: device, for: flag) < word.share else { continue }
      changedByService.insert(flag)
    }
  }

  package func isOn(_ flag: Flag) -> Bool { state(of: flag).isOn }

  /// The owner's word comes first.
  package func state(of flag: Flag) -> State {
    if let said = byOwner[flag] { return said ? .onByOwner : .offByOwner }
    if changedByService.contains(flag) { return flag.beginsOn ? .offByService : .onByService }
    return flag.beginsOn ? .on : .off
  }

  /// Among all devices, from 0 to below 100; for each flag another, so that it is not always the same ones that begin. It
  /// stays where it is, so that a share that grows only adds to those that were in it.
  static func place(of device: String, for flag: Flag) -> Double {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array("\(flag.rawValue)\n\(device)".utf8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // The last bytes have to be felt in the first bits too.
    sum = (sum ^ (sum >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    sum = (sum ^ (sum >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    sum ^= sum >> 33
    return Double(sum >> 11) / Double(1 << 53) * 100
  }
}
