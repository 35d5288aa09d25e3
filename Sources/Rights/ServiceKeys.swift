import Ciphers
import Runtime

/// The keys that a service signs with, each for one purpose. Its root key, which a source's settings name, signs this list;
/// so the others can be changed without anybody changing settings.
package struct ServiceKeys: Sendable {
  package enum Use: String, CaseIterable, Sendable {
    case licences = "licence"
    case statements = "statement"
    case time = "time"
  }

  package struct Named {
    let use: Use
    let id: String
    let key: SigningKey.PublicKey

    package init(_ use: Use, _ id: String, _ key: SigningKey.PublicKey) {
      (self.use, self.id, self.key) = (use, id, key)
    }
  }

  private struct Name: Hashable {
    let use: Use
    let id: ExactText
  }

  private let keys: [Name: SigningKey.PublicKey]

  package init(_ text: String, root: SigningKey.PublicKey) throws(Fault) {
    let document = try SignedDocument(text, as: .keys) { _ in root }
    guard let listed = document.body["keys"]?.items, listed.count <= Self.most else {
      throw SignedDocument.wrong("\"keys\" must be a list of at most \(Self.most) keys")
    }
    var keys: [Name: SigningKey.PublicKey] = [:]
    for entry in listed {
      // What newer services sign for other purposes is no concern of this device.
      guard let use = entry["use"]?.string.flatMap(Use.init(rawValue:)) else { continue }
      guard let id = entry["kid"]?.string, let bytes = entry["x"]?.string.flatMap(Base64.decodeURL),
        let key = SigningKey.PublicKey(bytes: bytes)
      else { throw SignedDocument.wrong("a key needs \"kid\", and \"x\" with 32 bytes in base64url") }
      keys[Name(use: use, id: ExactText(id))] = key
    }
    self.keys = keys
  }

  func key(_ id: String, for use: Use) -> SigningKey.PublicKey? { keys[Name(use: use, id: ExactText(id))] }

  /// The list, as the root key signs it.
  package static func sign(_ keys: [Named], root: borrowing SigningKey) throws(Fault) -> String {
    let listed = keys.map { one -> JSON in
      ["kid": JSON(one.id), "use": JSON(one.use.rawValue), "x": JSON(Base64.encodeURL(one.key.bytes))]
    }
    return try SignedDocument.sign(["keys": .list(listed)], as: .keys, with: root, "root")
  }

  private static let most = 16
}
