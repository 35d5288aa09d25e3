import Library
import Runtime

/// A place in a list as a word that a client gives back: it need not know what is in it, and whatever it sends is a
/// place at worst where nobody looks.
enum PageToken {
  static func text(_ key: PageKey) -> String {
    "\(key.part).\(key.number).\(key.id)." + Base64.encode(key.sort)
  }

  static func key(_ text: String) -> PageKey? {
    let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let part = Int(parts[0]), let number = Int64(parts[1]), let id = Int64(parts[2]),
      (0...1).contains(part), parts[3].utf8.count <= 512, let sort = Base64.decode(String(parts[3]))
    else { return nil }
    return PageKey(part: part, number: number, sort: sort, id: id)
  }
}
