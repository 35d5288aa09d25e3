import Runtime

/// An http or https address that is given where a file path is expected: in the queue's arguments, in a playlist. It
/// cannot be meant as a file, since nobody writes two slashes after a colon in a path.
package struct WebAddress: Equatable, Sendable {
  package let text: String

  private static let schemes = ["http://", "https://"]

  /// Nil for a path.
  package init?(_ path: FilePath) {
    let text = String(decoding: path.bytes, as: UTF8.self)
    let head = text.prefix(8).lowercased()
    guard Self.schemes.contains(where: { head.hasPrefix($0) }) else { return nil }
    self.text = text
  }

  /// What stands behind the folder's address, decoded. Nil for what is not below it.
  package func path(below folder: FolderAddress) -> FolderPath? {
    let (here, there) = (Self.parts(text), Self.parts(folder.text))
    guard here.host == there.host, here.path.hasPrefix(there.path) else { return nil }
    let rest = String(here.path.dropFirst(there.path.count))
    do throws(FolderPath.Mistake) { return try FolderPath(FolderPath.decode(rest)) } catch { return nil }
  }

  /// Scheme and host are the same in small and in capital letters; a path is not.
  private static func parts(_ text: String) -> (host: String, path: Substring) {
    let scheme = schemes.first { text.prefix($0.count).lowercased() == $0 } ?? ""
    let rest = text.dropFirst(scheme.count)
    let host = rest.prefix { $0 != "/" }
    return (scheme + host.lowercased(), rest.dropFirst(host.count))
  }
}
