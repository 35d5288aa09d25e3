import Runtime

/// What somebody needs to sign this device in: a code, and where to type it (RFC 8628).
package struct SignInCode: Equatable, Sendable {
  /// The code as people type it, such as `BCDF-GHJK`.
  package let code: String
  package let address: String
  /// With the code in it, for a QR code.
  package let wholeAddress: String
  package let ends: Moment
}

/// Where a depot stands with this device.
package enum SignInState: Equatable, Sendable {
  /// With the reason why it is so no more.
  case signedOut(Fault?)
  case waiting(SignInCode)
  case signedIn
}

/// What a depot has answered to a wish to sign in.
struct SignInOffer {
  let shown: SignInCode
  let deviceCode: String
  var interval: Duration

  /// Longer ones are no codes for people.
  private static let longestCode = 20
  private static let longestAddress = 300

  init(_ json: JSON, at now: Moment) throws(MediaFailure) {
    guard let deviceCode = json["device_code"]?.string, deviceCode.utf8.count <= 1_024,
      let code = json["user_code"]?.string, (4...Self.longestCode).contains(code.utf8.count),
      let address = json["verification_uri"]?.string.flatMap(Self.address)
    else {
      throw MediaFailure(.malformed, Fault(.malformed, "G-121", "the depot's answer has no code to sign in with"))
    }
    let seconds = min(max(json["expires_in"]?.whole ?? 600, 30), 3_600)
    let whole = json["verification_uri_complete"]?.string.flatMap(Self.address) ?? address
    shown = SignInCode(
      code: shownPlain(code), address: address, wholeAddress: whole, ends: now + .seconds(seconds))
    self.deviceCode = deviceCode
    interval = .seconds(min(max(json["interval"]?.whole ?? 5, 1), 60))
  }

  private static func address(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
    return isPlain && isWeb && text.utf8.count <= longestAddress ? text : nil
  }
}

/// What keeps this device signed in. The token is of no use to anybody without the device's key.
struct DepotSession {
  let refresh: String
  /// Somebody has signed out, and the depot has not heard of it yet.
  let isOver: Bool

  private static let longest = 4_096

  init(refresh: String, isOver: Bool = false) { (self.refresh, self.isOver) = (refresh, isOver) }

  init?(parsing bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes),  // nobody wrote that, so there is no session
      let refresh = json["refresh"]?.string
    else { return nil }
    (self.refresh, isOver) = (refresh, json["over"]?.truth == true)
  }

  var bytes: [UInt8] { (["refresh": JSON(refresh), "over": JSON(isOver)] as JSON).bytes }

  /// What a depot gives for a code or for the token before it.
  static func tokens(_ json: JSON) throws(MediaFailure) -> (session: DepotSession, access: String, lasts: Duration) {
    guard json["token_type"]?.string?.lowercased() == "dpop", let access = json["access_token"]?.string,
      let refresh = json["refresh_token"]?.string, isToken(access), isToken(refresh)
    else { throw MediaFailure(.malformed, Fault(.malformed, "G-122", "the depot's answer has no tokens")) }
    let seconds = min(max(json["expires_in"]?.whole ?? 300, 30), 86_400)
    // A little before: what is under way arrives in time.
    return (DepotSession(refresh: refresh), access, .seconds(max(seconds - 20, 10)))
  }

  /// It stands in a header.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longest && text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
  }
}
