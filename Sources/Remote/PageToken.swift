import Library
import Runtime

/// A place in a list as one word, which a client sends back to get the next page. Clients need not understand it, and a
/// made-up one is at worst a place in the list that holds nothing.
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
