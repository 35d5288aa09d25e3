import Runtime

/// How an item stands where files stand otherwise, in the queue and on the command line: `source:kiosk/far/1.mp3`. No file
/// is called so there, for those begin with a slash.
extension ItemKey {
  private static let beginning = Array("source:".utf8)
  private static let slash = UInt8(ascii: "/")

  package var address: FilePath { FilePath("source:\(source)/\(item)") }

  /// Nil for a file.
  package init?(address: FilePath) {
    guard address.bytes.starts(with: Self.beginning) else { return nil }
    let rest = address.bytes.dropFirst(Self.beginning.count)
    guard let end = rest.firstIndex(of: Self.slash), end > rest.startIndex, end + 1 < rest.endIndex,
      let source = String(validating: rest[..<end], as: UTF8.self),
      let item = String(validating: rest[(end + 1)...], as: UTF8.self)
    else { return nil }
    self.init(source: source, item: item)
  }
}
