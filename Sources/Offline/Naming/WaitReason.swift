/// Why something that is wanted is not fetched just now, though nothing is wrong with it. Each has a code that a person
/// can read out, and plain words; a number that belongs to it is told by `TransferPolicy.why`.
package enum WaitReason: String, Sendable, CaseIterable, Hashable {
  case noNetwork, noInternet, portal, metered, settling
  case battery, noCharger
  case space, limit
  case hours, heat, clock
  case untrusted, signIn
  case otherDisk
  case turn
  case owner

  package var code: String {
    switch self {
    case .noNetwork: "O-101"
    case .noInternet: "O-102"
    case .portal: "O-103"
    case .metered: "O-104"
    case .settling: "O-105"
    case .battery: "O-111"
    case .noCharger: "O-112"
    case .space: "O-121"
    case .limit: "O-122"
    case .hours: "O-131"
    case .heat: "O-132"
    case .clock: "O-133"
    case .untrusted: "O-141"
    case .signIn: "O-142"
    case .otherDisk: "O-123"
    case .turn: "O-151"
    case .owner: "O-152"
    }
  }

  package var words: String {
    switch self {
    case .noNetwork: "there is no network"
    case .noInternet: "the network has no way to the internet"
    case .portal: "the network wants somebody to log in first"
    case .metered: "the network costs by the byte"
    case .settling: "the network is just back"
    case .battery: "the battery is low"
    case .noCharger: "this waits for the charger"
    case .space: "the disk is full"
    case .limit: "the space set aside for music is used up"
    case .hours: "it is not the time of day for downloads"
    case .heat: "the board is too hot"
    case .clock: "the clock is not set yet"
    case .untrusted: "the server cannot prove who it is"
    case .signIn: "the source wants to be signed in to again"
    case .otherDisk: "the disk it belongs on is not there"
    case .turn: "others come first"
    case .owner: "it was paused"
    }
  }
}
