import Glibc

/// A path as the kernel knows it: bytes without NUL, in no promised encoding. A name that is not UTF-8 keeps its
/// bytes here and shows replacement characters only where people read it.
package struct FilePath: Hashable, Sendable {
  package let bytes: [UInt8]

  /// The kernel takes no longer one (PATH_MAX, less its end).
  package static let limit = 4_095

  /// Nil when there is nothing, or a NUL in it.
  package init?(bytes: some Sequence<UInt8>) {
    let all = Array(bytes)
    guard !all.isEmpty, memchr(all, 0, all.count) == nil else { return nil }
    self.bytes = all
  }

  /// For paths made by ourselves; a NUL ends them, as it would in the kernel.
  package init(_ text: String) { bytes = Array(text.utf8.prefix { $0 != 0 }) }

  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return body("") }
        return body(start)
      }
    }
  }

  package static func / (folder: FilePath, name: String) -> FilePath {
    let separator: [UInt8] = folder.bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FilePath(unchecked: folder.bytes + separator + Array(name.utf8))
  }

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  /// What stands behind the last slash.
  package var name: FilePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash + 1 < bytes.count else { return self }
    return FilePath(unchecked: Array(bytes[(slash + 1)...]))
  }

  /// The folder it lies in; "." for a bare name.
  package var folder: FilePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
    return FilePath(unchecked: slash == 0 ? [UInt8(ascii: "/")] : Array(bytes[..<slash]))
  }

  /// `/a/b` gives `/a/.b` with the ending: for what is to become the file itself.
  package func hiddenSibling(ending: String) -> FilePath {
    FilePath(unchecked: (folder / ".").bytes + name.bytes + Array(ending.utf8))
  }

  package var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

  /// The ending without its dot, in small letters; empty when there is none.
  package var ending: String { name.bytes.fileEnding }

  /// The name without folders and without its ending.
  package var nameWithoutEnding: FilePath { FilePath(unchecked: Array(name.bytes.withoutFileEnding)) }
}

/// The name of a file, without folders.
extension BidirectionalCollection<UInt8> {
  /// Where the ending begins, with its dot; the end of the name when there is none. A dot at the beginning hides a file,
  /// and behind one at the end is nothing: neither begins an ending.
  package var startOfFileEnding: Index {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > startIndex, index(after: dot) < endIndex else {
      return endIndex
    }
    return dot
  }

  package var withoutFileEnding: SubSequence { self[..<startOfFileEnding] }

  /// Without its dot, in small letters; empty when there is none.
  package var fileEnding: String {
    String(decoding: self[startOfFileEnding...].dropFirst(), as: UTF8.self).lowercased()
  }
}

extension FilePath: CustomStringConvertible {
  /// For people: replacement characters stand where the name is not UTF-8 or would steer a terminal.
  package var description: String { shownPlain(String(decoding: bytes, as: UTF8.self)) }
}

extension FilePath {
  /// Where it leads, without any link on the way.
  package func resolved(code: String) throws(Fault) -> FilePath {
    guard let real = withCString({ realpath($0, nil) }) else { throw Fault.system(code, doing: "find \(self)") }
    defer { free(real) }
    return FilePath(unchecked: UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) })
  }

  /// As seen from the root; a path from here gets the working folder in front.
  package var absolute: FilePath {
    if isAbsolute { return self }
    guard let here = getcwd(nil, 0) else { return self }
    defer { free(here) }
    return FilePath(unchecked: Array(String(cString: here).utf8) + [UInt8(ascii: "/")] + bytes)
  }
}
