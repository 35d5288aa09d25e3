/// The first, silent frame into which encoders write what they know of the whole file.
package struct MP3InfoFrame: Equatable {
  /// Frames in all, delay and padding: the library cuts both off itself.
  package private(set) var statesLength = false
  package private(set) var statesDelay = false

  /// `bytes` begin where the first frame does.
  package init(_ bytes: [UInt8]) {
    guard MPEGHeader(bytes) != nil,
      let at = (4..<max(4, min(bytes.count - 8, 44))).first(where: {
        bytes[$0...].starts(with: "Xing".utf8) || bytes[$0...].starts(with: "Info".utf8)
      })
    else { return }
    statesLength = true
    let flags = bytes[at + 7]
    // Number of frames, of bytes, a table, a quality: each is there when its flag is set. The encoder's name follows.
    let name =
      at + 8 + (flags & 1 == 0 ? 0 : 4) + (flags & 2 == 0 ? 0 : 4) + (flags & 4 == 0 ? 0 : 100)
      + (flags & 8 == 0 ? 0 : 4)
    guard name + 24 <= bytes.count, bytes[name] != 0 else { return }
    statesDelay = flags & 1 != 0 && bytes[name + 21..<name + 24].contains { $0 != 0 }
  }

  /// Of the frame, that the above may be found.
  package static let length = 192
}
