import Ciphers
import Runtime

/// Which devices a flag is meant for that is given to a share of them. A pure rule.
enum FlagShare {
  static let all: Int64 = 100

  /// Each device has a place among all, from 0 to below 100, and another for each flag, so that it is not always the same
  /// ones that begin. It keeps its place, so a share that grows only adds devices to those that were in it.
  static func holds(_ device: String, for flag: String, share: Int64) throws(Fault) -> Bool {
    let sum = try Sums.of("\(flag)\n\(device)")
    let number = sum.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // 2^53 steps, so that the place is exact.
    return Double(number >> 11) / Double(1 << 53) * Double(all) < Double(share)
  }
}
