import Runtime
import TestSupport
import Testing

@testable import Ciphers

/// What published standards give as examples.
@Suite("Keys and ciphers")
struct KeyTests {
  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
  }

  private static func secret(_ digits: String) throws -> Secret {
    var bytes = bytes(digits)
    return try Secret(taking: &bytes)
  }

  private static func sealed(_ suite: CipherSuite, key: String, nonce: String, beside: String, _ plain: [UInt8]) throws
    -> [UInt8]
  {
    let key = try secret(key)
    var cipher = try AuthenticatedCipher(suite, key: key, .seals)
    var space = [UInt8](repeating: 0, count: plain.count + CipherSuite.tagLength)
    let result = plain.withUnsafeBytes { plain in
      space.withUnsafeMutableBytes { space in
        Result { () throws(Fault) in
          try cipher.seal(plain, nonce: bytes(nonce), beside: bytes(beside), into: space)
        }
      }
    }
    try result.get()
    return space
  }

  @Test("AES-256-GCM seals as the examples of its authors (14)")
  func gcm() throws {
    let zeros = String(repeating: "00", count: 32)
    let sealed = try Self.sealed(
      .aes256GCM, key: zeros, nonce: String(zeros.prefix(24)), beside: "", [UInt8](repeating: 0, count: 16))
    #expect(sealed == Self.bytes("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"))
  }

  @Test("ChaCha20-Poly1305 seals as RFC 8439, 2.8.2")
  func chacha() throws {
    let text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
    let sealed = try Self.sealed(
      .chaCha20Poly1305, key: "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
      nonce: "070000004041424344454647", beside: "50515253c0c1c2c3c4c5c6c7", Array(text.utf8))
    #expect(sealed.starts(with: Self.bytes("d31a8d34648e60db7b86afbc53ef7ec2")))
    #expect(Array(sealed.suffix(16)) == Self.bytes("1ae10b594f09e26a7e902ecbd0600691"))
  }

  @Test("Ed25519 signs as RFC 8032, 7.1, example 2, and verifies nothing else")
  func signs() throws {
    let key = try SigningKey(seed: Self.secret("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
    let publicKey = key.publicKey
    #expect(publicKey.bytes == Self.bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
    let signature = try key.signature(of: [0x72])
    let wanted =
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
      + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    #expect(signature == Self.bytes(wanted))
    #expect(try publicKey.verifies(signature, of: [0x72]))
    #expect(try !publicKey.verifies(signature, of: [0x73]))
    for place in signature.indices {
      var other = signature
      other[place] ^= 1
      #expect(try !publicKey.verifies(other, of: [0x72]), "byte \(place)")
    }
    #expect(try !publicKey.verifies(signature + [0], of: [0x72]))
  }

  @Test("X25519 agrees as RFC 7748, 5.2; with a key that gives the same with everybody it does not")
  func agrees() throws {
    let key = try AgreementKey(secret: Self.secret("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"))
    let shared = try key.secret(with: Self.bytes("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"))
    let found = try shared.withBytes { Array($0) }
    #expect(found == Self.bytes("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))
    for other in [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31), [1, 2, 3]] {
      let isRefused = Result { () throws(Fault) -> Bool in try Self.agrees(key, other) }
      #expect(throws: Fault.self) { try isRefused.get() }
    }
  }

  private static func agrees(_ key: borrowing AgreementKey, _ other: [UInt8]) throws(Fault) -> Bool {
    let secret = try key.secret(with: other)
    return try secret.withBytes { !$0.isEmpty }
  }

  @Test("HKDF makes what RFC 5869 shows, with a salt and without")
  func derives() throws {
    let first = try HKDF.key(
      of: Self.secret(String(repeating: "0b", count: 22)), salt: Self.bytes("000102030405060708090a0b0c"),
      purpose: Self.bytes("f0f1f2f3f4f5f6f7f8f9"), count: 42)
    let one = try first.withBytes { Array($0) }
    #expect(
      one
        == Self.bytes(
          "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
    let second = try HKDF.key(of: Self.secret(String(repeating: "0b", count: 22)), salt: [], purpose: [], count: 42)
    let two = try second.withBytes { Array($0) }
    #expect(
      two
        == Self.bytes(
          "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
  }

  @Test("scrypt makes what RFC 7914 has as its third example")
  func scrypt() throws {
    let made = try PasswordKey.scrypt(
      of: Array("password".utf8), salt: Array("NaCl".utf8), cost: 10, lanes: 16, length: 64)
    #expect(
      made
        == Self.bytes(
          "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
            + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"))
    #expect(try faultOf { try PasswordKey.scrypt(of: [1], salt: [2], cost: 40, lanes: 1, length: 32) }.code == "Y-112")
  }

  @Test("sums are compared as a whole")
  func comparison() throws {
    #expect(try areEqualInSecret([1, 2, 3], [1, 2, 3]))
    for other: [UInt8] in [[1, 2, 4], [0, 2, 3], [1, 2], [1, 2, 3, 0], []] {
      #expect(try !areEqualInSecret([1, 2, 3], other))
    }
    #expect(try areEqualInSecret([], []))
  }

  @Test("a secret that was taken over is zeros where it was, and random ones differ")
  func secrets() throws {
    var bytes: [UInt8] = [1, 2, 3]
    let secret = try Secret(taking: &bytes)
    #expect(bytes.isEmpty)
    let held = try secret.withBytes { Array($0) }
    #expect(held == [1, 2, 3])
    let (one, other) = (try Self.random(), try Self.random())
    #expect(one != other && one.count == 32)
  }

  private static func random() throws -> [UInt8] {
    let secret = try Secret.random(32)
    return try secret.withBytes { Array($0) }
  }
}
