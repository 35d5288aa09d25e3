import Ciphers
import Runtime

/// A document that somebody signed: a JSON Web Signature in its compact form (RFC 7515) with Ed25519 (RFC 8037). The
/// signature covers the bytes as they came; nothing is written again to be checked.
package struct SignedDocument: Sendable {
  /// What it is; a signature for one kind means nothing for another.
  package enum Kind: String, Sendable {
    /// The keys that a service signs with, signed by its root key.
    case keys = "layby-keys+jwt"
    case licence = "layby-licence+jwt"
  }

  package static let longest = 256 << 10

  /// The document as it was received.
  package let text: String
  package let body: JSON
  /// Which key signed it.
  package let keyID: String

  /// `key` gives the public key by its id; nil for one that nobody vouches for.
  package init(
    _ text: String, as kind: Kind, signedBy key: (String) -> SigningKey.PublicKey?
  ) throws(Fault) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest else {
      throw Fault(.malformed, "E-120", "a signed document has \(bytes.count) bytes; at most \(Self.longest) are taken")
    }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let head = Base64.decodeURL(parts[0]), let body = Base64.decodeURL(parts[1]),
      let signature = Base64.decodeURL(parts[2])
    else { throw Self.wrong("it is not three parts of base64url with dots between them") }
    let limits = JSON.Limits(depth: 6, size: Self.longest, values: 20_000)
    let header = try JSON(parsing: head, limits: limits)
    guard header["alg"]?.string == "EdDSA" else { throw Self.wrong("\"alg\" must be EdDSA") }
    guard header["typ"]?.string == kind.rawValue else { throw Self.wrong("\"typ\" must be \(kind.rawValue)") }
    if let critical = header["crit"] {
      let names = critical.items?.compactMap(\.string).map(shownBriefly).joined(separator: ", ") ?? "something"
      throw Fault(
        .unsupported, "E-122", "a signed document demands what is not known here (\(names)); this needs an update")
    }
    guard let keyID = header["kid"]?.string, let key = key(keyID) else {
      throw Fault(.denied, "E-123", "a document is signed with a key that its source does not vouch for")
    }
    let signed = Array(bytes[..<(parts[2].startIndex - 1)])
    guard try key.verifies(signature, of: signed) else {
      throw Fault(.denied, "E-124", "a signed document is not as it was signed")
    }
    (self.text, self.keyID) = (text, keyID)
    self.body = try JSON(parsing: body, limits: limits)
  }

  package static func sign(_ body: JSON, as kind: Kind, with key: borrowing SigningKey, _ keyID: String) throws(Fault)
    -> String
  {
    let header: JSON = ["alg": "EdDSA", "typ": JSON(kind.rawValue), "kid": JSON(keyID)]
    let signed = Base64.encodeURL(header.bytes) + "." + Base64.encodeURL(body.bytes)
    return signed + "." + Base64.encodeURL(try key.signature(of: Array(signed.utf8)))
  }

  static func wrong(_ mistake: String) -> Fault { Fault(.malformed, "E-121", "a signed document: \(mistake)") }
}
