/// Why something that is wanted is not fetched just now, though nothing is wrong with it. Each has a code that a person
/// can read out, and plain words; a number that belongs to it is told by `TransferPolicy.why`.
package enum WaitReason: String, Sendable, CaseIterable, Hashable {
  case noNetwork, noInternet, portal, metered, settling, noWifi
  case battery, noCharger
  case space, limit
  case hours, heat, clock
  case untrusted, signIn
  /// Of a source that does not serve, or does not say what it has; see `OutageProbe`.
  case server, source
  case otherDisk, disk
  case turn
  case owner
  case begun, ahead

  package var code: String {
    switch self {
    case .noNetwork: "O-101"
    case .noInternet: "O-102"
    case .portal: "O-103"
    case .metered: "O-104"
    case .settling: "O-105"
    case .noWifi: "O-106"
    case .battery: "O-111"
    case .noCharger: "O-112"
    case .space: "O-121"
    case .limit: "O-122"
    case .hours: "O-131"
    case .heat: "O-132"
    case .clock: "O-133"
    case .untrusted: "O-141"
    case .signIn: "O-142"
    case .server: "O-143"
    case .source: "O-144"
    case .otherDisk: "O-123"
    case .disk: "O-124"
    case .turn: "O-151"
    case .owner: "O-152"
    case .begun: "O-153"
    case .ahead: "O-154"
    }
  }

  package var words: String {
    switch self {
    case .noNetwork: "there is no network"
    case .noInternet: "the network has no way to the internet"
    case .portal: "the network wants somebody to log in first"
    case .metered: "the network costs by the byte"
    case .settling: "the network is just back"
    case .noWifi: "this waits for Wi-Fi"
    case .battery: "the battery is low"
    case .noCharger: "this waits for the charger"
    case .space: "the disk is full"
    case .limit: "the space set aside for music is used up"
    case .hours: "it is not the time of day for downloads"
    case .heat: "the board is too hot"
    case .clock: "the clock is not set yet"
    case .untrusted: "the server cannot prove who it is"
    case .signIn: "the source wants to be signed in to again"
    case .server: "the server does not give it just now"
    case .source: "the source cannot be read"
    case .otherDisk: "the disk it belongs on is not there"
    case .disk: "the disk does not take it"
    case .turn: "others come first"
    case .owner: "it was paused"
    case .begun: "its beginning is here, and the rest comes when it is played"
    case .ahead: "as much is here as is fetched ahead of what is heard"
    }
  }

  package init?(code: String) {
    guard let known = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = known
  }

  /// The whole source is in trouble, and not the item: one that waits so is sent to look for all of them.
  package var isOutage: Bool { self == .server || self == .source }

  /// Something has failed, and not only to begin: whoever listens is not kept waiting for that.
  package var isTrouble: Bool { isOutage || self == .disk }

  /// Where nobody may say that it is over, it is tried again after so long.
  package var askedAgainAfter: Duration? {
    switch self {
    case .clock, .untrusted, .signIn, .disk: .seconds(3_600)
    default: nil
    }
  }

  /// Only a person can do something about it.
  package var isOwners: Bool {
    switch self {
    case .space, .limit, .signIn, .untrusted, .portal, .otherDisk, .owner: true
    default: false
    }
  }
}
