import Runtime

/// How far somebody has read the list of changes: `EPOCH.NUMBER.MARK`. Each change has a random mark, so a token of a list
/// that was put back from a copy, and then went on otherwise, is found out.
struct ChangeToken: Equatable {
  /// Of the database: another one is another list.
  let epoch: String
  let number: Int64
  /// Of the change with that number; 0 for the beginning.
  let mark: Int64

  var text: String { "\(epoch).\(number).\(mark)" }

  init(epoch: String, number: Int64, mark: Int64) { (self.epoch, self.number, self.mark) = (epoch, number, mark) }

  init?(_ text: String) {
    guard text.utf8.count <= 100 else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard parts.count == 3, !parts[0].isEmpty, let number = Int64(parts[1]), number >= 0, let mark = Int64(parts[2])
    else { return nil }
    (epoch, self.number, self.mark) = (parts[0], number, mark)
  }
}
