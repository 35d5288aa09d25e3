import Runtime

/// `NUMBER.SUM`: a number and what it is about, sealed by the service. A nonce has the window of time it is for, an address
/// its end, a form the moment at which it was shown.
enum StampedText {
  static func make(_ number: Int64, about subject: String, _ seal: borrowing ServiceSeal) throws(Fault) -> String {
    "\(number).\(Base64.encodeURL(try seal.sum("\(number)\n\(subject)")))"
  }

  /// Nil for what was not made so.
  static func number(
    of text: String, about subject: String, _ seal: borrowing ServiceSeal
  ) throws(Fault) -> Int64? {
    guard text.utf8.count <= 100, let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")),
      let number = Int64(text[..<dot]), let sum = Base64.decodeURL(String(text[dot...].dropFirst())),
      try seal.isSum(sum, of: "\(number)\n\(subject)")
    else { return nil }
    return number
  }
}

/// The nonces of proofs (RFC 9449): nothing of them is stored. One is taken for two to four minutes.
enum ProofNonce {
  static let windowSeconds: Int64 = 120

  static func current(at now: Int64, _ seal: borrowing ServiceSeal) throws(Fault) -> String {
    try StampedText.make(now / windowSeconds, about: "", seal)
  }

  static func isTaken(_ nonce: String, at now: Int64, _ seal: borrowing ServiceSeal) throws(Fault) -> Bool {
    guard let window = try StampedText.number(of: nonce, about: "", seal) else { return false }
    return (0...1).contains(now / windowSeconds - window)
  }
}
