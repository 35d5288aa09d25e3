import Ciphers
import Runtime

/// `scrypt$COST$LANES$SALT$SUM`: a password as it is kept.
struct PasswordSum {
  static let lengths = 10...200
  private static let cost: Int32 = 15
  private static let lanes: Int32 = 3

  let text: String

  init(text: String) { self.text = text }

  init(of password: String) throws(Fault) {
    let salt = randomBytes(16)
    let sum = try PasswordKey.scrypt(
      of: Array(password.utf8), salt: salt, cost: Self.cost, lanes: Self.lanes, length: 32)
    text = "scrypt$\(Self.cost)$\(Self.lanes)$\(Base64.encodeURL(salt))$\(Base64.encodeURL(sum))"
  }

  /// What a password is compared with when there is no such account: it takes as long, and never fits.
  static let ofNobody = PasswordSum(
    text: "scrypt$\(cost)$\(lanes)$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")

  func fits(_ password: String) throws(Fault) -> Bool {
    let parts = text.split(separator: "$").map { String($0) }
    guard parts.count == 5, parts[0] == "scrypt", let cost = Int32(parts[1]), let lanes = Int32(parts[2]),
      let salt = Base64.decodeURL(parts[3]), let sum = Base64.decodeURL(parts[4]), sum.count == 32
    else { throw Fault(.damaged, "D-150", "a password in the database is not as it was kept") }
    let made = try PasswordKey.scrypt(
      of: Array(password.utf8), salt: salt, cost: cost, lanes: lanes, length: sum.count)
    return try areEqualInSecret(made, sum)
  }
}
