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
    /// A service says so to this device, and perhaps not to others.
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

  /// What a service says of one to this device.
  package struct Word: Equatable, Sendable {
    /// By its name, which this program may not know.
    package let flag: String
    package let isOn: Bool

    package init(_ flag: String, isOn: Bool) { (self.flag, self.isOn) = (flag, isOn) }
  }

  private var byOwner: [Flag: Bool] = [:]
  private var byService: [Flag: Bool] = [:]

  package init() {}

  package init(_ settings: Settings) {
    for flag in Flag.allCases where settings.says(.flag(flag)) { byOwner[flag] = settings[.flag(flag)] }
  }

  /// In the place of what services said before. The first word of a flag counts.
  package mutating func hear(_ words: [Word]) {
    byService = [:]
    for word in words {
      guard let flag = Flag(rawValue: word.flag), byService[flag] == nil else { continue }
      byService[flag] = word.isOn
    }
  }

  package func isOn(_ flag: Flag) -> Bool { state(of: flag).isOn }

  /// The owner's word comes first.
  package func state(of flag: Flag) -> State {
    if let said = byOwner[flag] { return said ? .onByOwner : .offByOwner }
    if let said = byService[flag] { return said ? .onByService : .offByService }
    return flag.beginsOn ? .on : .off
  }
}
