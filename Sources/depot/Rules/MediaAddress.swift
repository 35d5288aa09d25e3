import Runtime
import Services

/// An address of sealed bytes that works without signing in, until it ends. It is sealed over the path and the end.
enum MediaAddress {
  static let seconds: Int64 = 3_600

  static func make(
    _ path: FolderPath, at now: Int64, _ seal: borrowing ServiceSeal
  ) throws(Fault) -> (address: String, ends: Int64) {
    let ends = now + seconds
    let sum = Base64.encodeURL(try seal.sum("\(ends)\n\(path.text)"))
    return ("/media/\(path.encoded)?until=\(ends)&sum=\(sum)", ends)
  }

  enum Standing: Equatable { case holds, over, wrong }

  static func standing(
    _ path: String, until: String?, sum: String?, at now: Int64, _ seal: borrowing ServiceSeal
  ) throws(Fault) -> Standing {
    guard let ends = until.flatMap({ Int64($0) }), let sum = sum.flatMap({ Base64.decodeURL($0) }),
      try seal.isSum(sum, of: "\(ends)\n\(path)")
    else { return .wrong }
    return now < ends ? .holds : .over
  }
}
