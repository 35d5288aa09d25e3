internal import CCiphers
import Runtime

/// Keys that are made from passwords.
package enum PasswordKey {
  /// PBKDF2 with HMAC-SHA-1, which WPA prescribes. SHA-1 is broken for signatures, and this use of it is not.
  package static func pbkdf2SHA1(
    of password: [UInt8], salt: [UInt8], rounds: Int32, length: Int
  ) throws(Fault) -> [UInt8] {
    try OpenSSL.load()
    var key = [UInt8](repeating: 0, count: length)
    guard layby_pbkdf2_sha1(password, password.count, salt, salt.count, rounds, &key, length) == 1 else {
      throw Fault(.passing, "Y-103", "OpenSSL could not make a key of a password; is there memory left?")
    }
    return key
  }

  /// scrypt (RFC 7914) with blocks of 8: it takes 2^`cost` KiB of memory, `lanes` times, so that guessing is dear on
  /// machines made for it too.
  package static func scrypt(
    of password: [UInt8], salt: [UInt8], cost: Int32, lanes: Int32, length: Int
  ) throws(Fault) -> [UInt8] {
    try OpenSSL.load()
    var key = [UInt8](repeating: 0, count: length)
    guard layby_scrypt(password, password.count, salt, salt.count, cost, lanes, &key, length) == 1 else {
      throw Fault(.passing, "Y-112", "OpenSSL could not make a sum of a password; is there memory left?")
    }
    return key
  }
}
