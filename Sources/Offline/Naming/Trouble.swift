/// What went wrong with a transfer, in the terms that decide what is done about it. Stored as `name`, which therefore
/// never changes.
package enum Trouble: Hashable, Sendable {
  package enum Network: String, Sendable, CaseIterable { case noName, refused, unreachable, timedOut, reset }
  package enum TLS: String, Sendable, CaseIterable { case pin, expired, untrusted, other }
  package enum Redirect: String, Sendable, CaseIterable { case loop, insecure, tooMany }
  package enum DiskStep: String, Sendable, CaseIterable { case open, read, write, sync, rename }

  case network(Network)
  /// Connected, and slower than is worth waiting for.
  case stalled
  case tls(TLS)
  /// A certificate is refused, and our own clock is to blame.
  case clockWrong
  /// A page came where music was asked for.
  case portal
  case redirect(Redirect)
  case httpStatus(Int)
  /// The answer contradicts itself.
  case nonsense
  /// An answer in due form, and no music in it.
  case notMusic
  /// Packed, though that was not asked for.
  case encoded
  case tooLarge
  /// Other bytes than were asked for.
  case wrongRange
  /// Not as long as the source says.
  case wrongLength
  /// Another version than what is here is the beginning of.
  case changed
  case wrongHash
  case noSpace
  /// What is set aside for music is used up.
  case overLimit
  case disk(DiskStep)
  /// What is kept on is not there.
  case diskGone
  /// The source has it no more.
  case notThere
  /// The source does not give it to this account.
  case denied
  case signIn
  /// The source does not say what it has.
  case source
  /// A page came in place of music, and none is in the way: it is the server's own.
  case page
  /// It was whole, and its file is gone or damaged.
  case lost
  case unknown

  /// What to do about it, before attempts are counted.
  package enum Remedy: Equatable, Sendable {
    /// Trying again may help.
    case again
    /// Trying once more may help.
    case once
    /// Another address may help.
    case address
    /// Nothing is wrong with the item itself.
    case wait(WaitReason)
    case none
  }

  package var remedy: Remedy {
    switch self {
    case .network, .stalled, .redirect, .nonsense, .notMusic, .encoded: .again
    case .wrongRange, .wrongLength, .changed, .wrongHash, .disk, .lost: .again
    case .tls(.expired), .tls(.other): .again
    case .tls(.pin), .tls(.untrusted): .wait(.untrusted)
    case .clockWrong: .wait(.clock)
    case .portal: .wait(.portal)
    case .noSpace: .wait(.space)
    case .overLimit: .wait(.limit)
    case .diskGone: .wait(.otherDisk)
    case .signIn: .wait(.signIn)
    case .source: .wait(.source)
    case .page: .wait(.server)
    case .unknown: .once
    case .tooLarge, .notThere, .denied: .none
    case .httpStatus(let status): Self.remedy(status)
    }
  }

  /// What it waits for when trying again has not helped, where the trouble is not the item's own; nil: it is given up.
  package var waitsAfterAll: WaitReason? {
    switch self {
    case .network, .stalled, .redirect, .tls(.expired), .tls(.other): .server
    // Another version or another part at each visit, or a file that is being replaced: its index is written afterwards.
    case .changed, .wrongRange, .wrongLength: .server
    case .disk: .disk
    case .httpStatus(let status): Self.remedy(status) == .again ? .server : nil
    default: nil
    }
  }

  private static func remedy(_ status: Int) -> Remedy {
    switch status {
    case 401, 403, 410: .address
    case 408, 425, 429: .again
    case 300..<400: .again
    case 400..<500: .none
    case 511: .wait(.portal)
    case 500..<600: .again
    default: .once
    }
  }
}
