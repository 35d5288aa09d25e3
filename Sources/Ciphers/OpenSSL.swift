internal import CCiphers
import Runtime

enum OpenSSL {
  /// Before anything else is asked of it.
  static func load() throws(Fault) {
    guard layby_ciphers_load() == 1 else {
      throw Fault(
        .missing, "Y-101",
        "OpenSSL's libcrypto.so.3 is not there; without it no music can be fetched, no sealed music opened and no Wi-Fi password used"
      )
    }
  }
}
