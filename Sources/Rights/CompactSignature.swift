import Ciphers
import Runtime

/// A JSON Web Signature in its compact form (RFC 7515) with Ed25519 (RFC 8037), taken apart and not verified yet. The
/// signature covers the bytes as they came; nothing is written again to be checked.
struct CompactSignature {
  let header: JSON
  private let bodyBytes: [UInt8]
  private let signature: [UInt8]
  private let signed: [UInt8]

  static let longest = 256 << 10

  init(_ text: String) throws(Fault) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest else {
      throw Fault(.malformed, "E-120", "a signed document has \(bytes.count) bytes; at most \(Self.longest) are taken")
    }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let head = Base64.decodeURL(parts[0]), let body = Base64.decodeURL(parts[1]),
      let signature = Base64.decodeURL(parts[2])
    else { throw SignedDocument.wrong("it is not three parts of base64url with dots between them") }
    header = try JSON(parsing: head, limits: Self.limits)
    guard header["alg"]?.string == "EdDSA" else { throw SignedDocument.wrong("\"alg\" must be EdDSA") }
    (bodyBytes, self.signature) = (body, signature)
    signed = Array(bytes[..<(parts[2].startIndex - 1)])
  }

  private static let limits = JSON.Limits(depth: 6, size: longest, values: 20_000)

  /// To be read when it is known who signed it.
  func body() throws(Fault) -> JSON { try JSON(parsing: bodyBytes, limits: Self.limits) }

  func isSigned(by key: SigningKey.PublicKey) throws(Fault) -> Bool { try key.verifies(signature, of: signed) }

  static func sign(_ header: JSON, _ body: JSON, with key: borrowing SigningKey) throws(Fault) -> String {
    let signed = Base64.encodeURL(header.bytes) + "." + Base64.encodeURL(body.bytes)
    return signed + "." + Base64.encodeURL(try key.signature(of: Array(signed.utf8)))
  }
}
