import Ciphers
import Runtime

/// A document that a service signed, of one kind.
package struct SignedDocument: Sendable {
  /// What it is; a signature for one kind means nothing for another.
  package enum Kind: String, Sendable {
    /// The keys that a service signs with, signed by its root key.
    case keys = "layby-keys+jwt"
    case licence = "layby-licence+jwt"
    case statement = "layby-statement+jwt"
    case time = "layby-time+jwt"
  }

  package static let longest = CompactSignature.longest

  package let body: JSON

  /// `key` gives the public key by its id; nil for one that nobody vouches for.
  package init(
    _ text: String, as kind: Kind, signedBy key: (String) -> SigningKey.PublicKey?
  ) throws(Fault) {
    let parts = try CompactSignature(text)
    guard parts.header["typ"]?.string == kind.rawValue else { throw Self.wrong("\"typ\" must be \(kind.rawValue)") }
    if let critical = parts.header["crit"] {
      let names = critical.items?.compactMap(\.string).map(shownBriefly).joined(separator: ", ") ?? "something"
      throw Fault(
        .unsupported, "E-122", "a signed document demands what is not known here (\(names)); this needs an update")
    }
    guard let keyID = parts.header["kid"]?.string, let key = key(keyID) else {
      throw Fault(.denied, "E-123", "a document is signed with a key that its source does not vouch for")
    }
    guard try parts.isSigned(by: key) else {
      throw Fault(.denied, "E-124", "a signed document is not as it was signed")
    }
    body = try parts.body()
  }

  package static func sign(_ body: JSON, as kind: Kind, with key: borrowing SigningKey, _ keyID: String) throws(Fault)
    -> String
  {
    try CompactSignature.sign(["alg": "EdDSA", "typ": JSON(kind.rawValue), "kid": JSON(keyID)], body, with: key)
  }

  static func wrong(_ mistake: String) -> Fault { Fault(.malformed, "E-121", "a signed document: \(mistake)") }
}
