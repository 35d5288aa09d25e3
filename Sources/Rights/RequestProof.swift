import Ciphers
import Runtime

/// Shows that a request comes from who has a key, and not from who has read a token (DPoP, RFC 9449). Devices sign; a
/// service verifies.
package struct RequestProof: Sendable {
  package let key: SigningKey.PublicKey
  /// Never twice.
  package let id: String
  package let nonce: String?
  /// Base64url of the SHA-256 sum of the access token.
  private let tokenSum: String?

  /// As a service reads it. `address`: of the request, without what follows a `?`.
  package init(_ text: String, _ method: String, _ address: String) throws(Fault) {
    let parts = try CompactSignature(text)
    guard parts.header["typ"]?.string == Self.type else { throw Self.refused("\"typ\" must be \(Self.type)") }
    guard let jwk = parts.header["jwk"], jwk["kty"]?.string == "OKP", jwk["crv"]?.string == "Ed25519",
      jwk["d"] == nil,
      let key = jwk["x"]?.string.flatMap(Base64.decodeURL).flatMap({ SigningKey.PublicKey(bytes: $0) })
    else { throw Self.refused("\"jwk\" must be a public Ed25519 key") }
    guard try parts.isSigned(by: key) else { throw Self.refused("it is not as it was signed") }
    let body = try parts.body()
    guard let id = body["jti"]?.string, (8...100).contains(id.utf8.count) else {
      throw Self.refused("\"jti\" must have 8 to 100 characters")
    }
    guard body["htm"]?.string == method, let target = body["htu"]?.string, ExactText(target) == ExactText(address)
    else {
      throw Self.refused("it is for another request")
    }
    (self.key, self.id) = (key, id)
    (nonce, tokenSum) = (body["nonce"]?.string, body["ath"]?.string)
  }

  package func isFor(token: String) throws(Fault) -> Bool {
    guard let tokenSum else { return false }
    return ExactText(tokenSum) == ExactText(try Self.sum(of: token))
  }

  /// As a device writes it.
  package static func sign(
    _ method: String, _ address: String, token: String?, nonce: String?, at now: Int64, with key: borrowing SigningKey
  ) throws(Fault) -> String {
    let header: JSON = ["alg": "EdDSA", "typ": JSON(type), "jwk": jwk(key.publicKey)]
    var members: [(String, JSON)] = [
      ("jti", JSON(Base64.encodeURL(randomBytes(16)))), ("htm", JSON(method)), ("htu", JSON(address)),
      ("iat", JSON(now)),
    ]
    if let token { members.append(("ath", JSON(try sum(of: token)))) }
    if let nonce { members.append(("nonce", JSON(nonce))) }
    return try CompactSignature.sign(header, .object(JSON.Object(members)), with: key)
  }

  /// What a token that belongs to a key is marked with (RFC 7638).
  package static func thumbprint(_ key: SigningKey.PublicKey) throws(Fault) -> String {
    try sum(of: "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"\(Base64.encodeURL(key.bytes))\"}")
  }

  private static let type = "dpop+jwt"

  private static func jwk(_ key: SigningKey.PublicKey) -> JSON {
    ["kty": "OKP", "crv": "Ed25519", "x": JSON(Base64.encodeURL(key.bytes))]
  }

  private static func sum(of text: String) throws(Fault) -> String {
    var sum = try SHA256()
    sum.add(Array(text.utf8))
    return Base64.encodeURL(try sum.value().bytes)
  }

  private static func refused(_ mistake: String) -> Fault {
    Fault(.denied, "E-127", "a proof of a request: \(mistake)")
  }
}
