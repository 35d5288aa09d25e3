import Ciphers
import Runtime

@testable import depot

extension ServiceSeal {
  /// One that is the same in each test.
  static func sample(_ purpose: String = "tests") throws(Fault) -> ServiceSeal {
    var bytes = [UInt8](repeating: 7, count: 32)
    return try ServiceSeal(Secret(taking: &bytes), for: purpose)
  }
}
