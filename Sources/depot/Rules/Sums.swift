import Ciphers
import Runtime

/// What stands in the database in place of a token: who reads the database has no token.
enum Sums {
  static func of(_ text: String) throws(Fault) -> [UInt8] { try of(Array(text.utf8)) }

  static func of(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
    var sum = try SHA256()
    sum.add(bytes)
    return try sum.value().bytes
  }
}

/// Sums that only this service can make, for one purpose each: what it has given away it knows again without keeping it.
/// All workers of a service that have the same secret know each other's.
struct ServiceSeal: ~Copyable, Sendable {
  private let key: Secret

  init(_ secret: borrowing Secret, for purpose: String) throws(Fault) {
    key = try HKDF.key(of: secret, salt: [], purpose: Array("layby depot \(purpose) 1".utf8))
  }

  func sum(_ text: String) throws(Fault) -> [UInt8] { try HMAC.sum(Array(text.utf8), key: key) }

  func isSum(_ sum: [UInt8], of text: String) throws(Fault) -> Bool { try areEqualInSecret(sum, self.sum(text)) }
}
