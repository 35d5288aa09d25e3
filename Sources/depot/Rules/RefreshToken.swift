import Runtime

/// `SESSION.NUMBER.SUM`: the service knows its own by the sum, so the same token can be given twice and none is stored.
struct RefreshToken: Equatable {
  let session: [UInt8]
  let number: Int64

  static let sessionLength = 16

  func text(_ seal: borrowing ServiceSeal) throws(Fault) -> String {
    "\(signed).\(Base64.encodeURL(try seal.sum(signed)))"
  }

  private var signed: String { "\(Base64.encodeURL(session)).\(number)" }

  init(session: [UInt8], number: Int64) { (self.session, self.number) = (session, number) }

  /// Nil for what this service did not make.
  init?(_ text: String, _ seal: borrowing ServiceSeal) throws(Fault) {
    guard text.utf8.count <= 200 else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard parts.count == 3, let session = Base64.decodeURL(parts[0]), session.count == Self.sessionLength,
      let number = Int64(parts[1]), number > 0, let sum = Base64.decodeURL(parts[2])
    else { return nil }
    (self.session, self.number) = (session, number)
    guard try seal.isSum(sum, of: signed) else { return nil }
  }
}
