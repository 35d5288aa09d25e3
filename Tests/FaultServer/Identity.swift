internal import CertificateMaker
import Runtime

/// Who a server says it is over TLS: a key and a certificate of our own making, for `localhost` and 127.0.0.1.
///
/// Unchecked: it is never changed once it is made, and OpenSSL counts its references atomically.
package final class Identity: @unchecked Sendable {
  let made: OpaquePointer

  private init(_ made: OpaquePointer?) throws(Fault) {
    guard let made else { throw Fault(.unsupported, "T-301", "OpenSSL makes no certificate") }
    self.made = made
  }

  deinit { layby_free_identity(made) }

  /// Vouches for others.
  package static func authority() throws(Fault) -> Identity { try Identity(layby_make_authority()) }

  /// One that `self` vouches for, valid between two moments as seen from now.
  package func vouched(from: Duration = .seconds(-3_600), until: Duration = .seconds(3_600)) throws(Fault) -> Identity {
    try Identity(layby_make_identity(made, from.nanoseconds / 1_000_000_000, until.nanoseconds / 1_000_000_000))
  }

  /// The certificate.
  package var pem: [UInt8] {
    var text = [UInt8](repeating: 0, count: 8_192)
    let count = layby_identity_pem(made, &text, text.count)
    return Array(text.prefix(count))
  }

  /// The sum of the public key by which it can be pinned.
  package var pin: String {
    var text = [CChar](repeating: 0, count: 45)
    layby_identity_pin(made, &text)
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// How a server speaks TLS.
package struct ServedTLS: Sendable {
  package var identity: Identity
  package var isOld: Bool

  /// `isOld`: no newer than TLS 1.2.
  package init(_ identity: Identity, isOld: Bool = false) { (self.identity, self.isOld) = (identity, isOld) }
}

/// Owns one connection's TLS, between its socket's bytes and what is said.
final class TLSSession {
  private let session: OpaquePointer?

  init(_ tls: ServedTLS) { session = layby_tls_open(tls.identity.made, tls.isOld ? 1 : 0) }

  deinit { layby_tls_close(session) }

  func came(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { layby_tls_came(session, $0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
  }

  /// What has to go out.
  func outgoing() -> [UInt8] {
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = layby_tls_goes(session, &block, block.count), count > 0 { all += block[..<count] }
    return all
  }

  /// What the client has said until now; nil when it says no more.
  func said() -> [UInt8]? {
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = layby_tls_read(session, &block, Int32(block.count))
      if count < 0 { return all.isEmpty ? nil : all }
      if count == 0 { return all }
      all += block[..<Int(count)]
    }
  }

  /// How much of `bytes` was taken.
  func say(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { Int(layby_tls_write(session, $0.bindMemory(to: UInt8.self).baseAddress, Int32($0.count))) }
  }
}
