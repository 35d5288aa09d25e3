import Ciphers
import Runtime

/// The key of a wireless network with a password: WPA computes it from password and name.
/// Made here, and not by wpa_supplicant, because 64 hexadecimal digits mean the same to every reader of its file, and
/// a password in quotes does not.
enum NetworkKey {
  private static let rounds: Int32 = 4_096
  private static let length = 32

  static func made(of password: [UInt8], for name: [UInt8]) throws(Fault) -> [UInt8] {
    try PasswordKey.pbkdf2SHA1(of: password, salt: name, rounds: rounds, length: length)
  }
}
