import Ciphers
import Runtime

/// The keys that a service signs with. Its root key, which a source's settings name, signs this list; so the others can
/// be changed without anybody changing settings.
package struct ServiceKeys: Sendable {
  private let licences: [ExactText: SigningKey.PublicKey]

  package init(_ text: String, root: SigningKey.PublicKey) throws(Fault) {
    let document = try SignedDocument(text, as: .keys) { _ in root }
    guard let listed = document.body["keys"]?.items, listed.count <= Self.most else {
      throw SignedDocument.wrong("\"keys\" must be a list of at most \(Self.most) keys")
    }
    var licences: [ExactText: SigningKey.PublicKey] = [:]
    for key in listed where key["use"]?.string == Self.forLicences {
      guard let id = key["kid"]?.string, let bytes = key["x"]?.string.flatMap(Base64.decodeURL),
        let key = SigningKey.PublicKey(bytes: bytes)
      else { throw SignedDocument.wrong("a key needs \"kid\", and \"x\" with 32 bytes in base64url") }
      licences[ExactText(id)] = key
    }
    self.licences = licences
  }

  func licenceKey(_ id: String) -> SigningKey.PublicKey? { licences[ExactText(id)] }

  /// The list, as the root key signs it.
  package static func sign(
    licences key: SigningKey.PublicKey, _ keyID: String, root: borrowing SigningKey
  ) throws(Fault) -> String {
    let listed: JSON = ["kid": JSON(keyID), "use": JSON(forLicences), "x": JSON(Base64.encodeURL(key.bytes))]
    return try SignedDocument.sign(["keys": [listed]], as: .keys, with: root, "root")
  }

  private static let most = 16
  private static let forLicences = "licence"
}
