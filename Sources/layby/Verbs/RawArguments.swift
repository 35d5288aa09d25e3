import Glibc
import Runtime

/// The program's arguments as the kernel gave them. Swift makes text of them, in which a name that is not UTF-8 has
/// lost its bytes; so paths are taken from here.
enum RawArguments {
  /// Each argument that reads as `word` gives its bytes back, in the order of asking. Two ways of writing an accent are
  /// two words, as they are two files.
  struct Paths {
    private var unused: [FilePath] = (1..<max(Int(CommandLine.argc), 1)).compactMap { index in
      CommandLine.unsafeArgv[index].flatMap { start in
        FilePath(bytes: UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) })
      }
    }

    mutating func path(_ word: String) -> FilePath? {
      let place = unused.firstIndex { String(decoding: $0.bytes, as: UTF8.self).utf8.elementsEqual(word.utf8) }
      guard let place else { return FilePath(bytes: word.utf8) }
      return unused.remove(at: place)
    }
  }
}
