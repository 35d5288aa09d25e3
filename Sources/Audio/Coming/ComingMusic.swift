import Runtime

/// Bytes that are not all here yet. They are asked for on the decode thread and come on any; it ends with its last owner,
/// and what was asked for and has not come by then never comes.
package protocol ComingBytes: AnyObject, Sendable {
  /// As people know it.
  var name: String { get }
  /// Nil: nobody knows how many there will be.
  var length: Int64? { get }
  /// How long it plays, as its source says.
  var duration: Duration? { get }
  /// Some from `offset` on, so many at most; none behind the end. Told once.
  func read(at offset: Int64, most count: Int, then: @escaping @Sendable (Result<[UInt8], Fault>) -> Void)
  /// Whether all of it is here by now. Told once.
  func askIfWhole(then: @escaping @Sendable (Bool) -> Void)
  /// False where only what is on this device already is read.
  var isStreamed: Bool { get }
}

extension ComingBytes {
  package var duration: Duration? { nil }
  package var isStreamed: Bool { true }
  package func askIfWhole(then: @escaping @Sendable (Bool) -> Void) { then(false) }
}

package enum FoundMusic: Sendable {
  case file(FilePath)
  case coming(any ComingBytes)
}

/// Music that is ready to be decoded.
struct OpenedMusic {
  let decoder: any Decoder
  var isStreamed = false
}

/// Where music is in the moment in which it is to be played: it may have come by then, or be on its way.
package protocol MusicFinder: Sendable {
  /// Told once, unless what is returned is called before: nobody waits for it then. Nil for a file like any other, of which
  /// nothing is told.
  func find(
    _ path: FilePath, then: @escaping @Sendable (Result<FoundMusic, Fault>) -> Void
  ) -> (@Sendable () -> Void)?
}

extension MusicFinder {
  /// Waits for it, on the decode thread.
  func open(_ path: FilePath, asking help: ForeignHelp) throws(Fault) -> OpenedMusic {
    let answer = try Awaited<FoundMusic>()
    guard let stop = find(path, then: { answer.give($0) }) else {
      return OpenedMusic(decoder: try openDecoder(path, asking: help))
    }
    guard let found = answer.wait(help) else {
      stop()
      throw .givenUp(path.description)
    }
    switch try found.get() {
    case .file(let file): return OpenedMusic(decoder: try openDecoder(file, asking: help))
    case .coming(let bytes):
      return OpenedMusic(decoder: try openDecoder(bytes, asking: help), isStreamed: bytes.isStreamed)
    }
  }
}

/// Returns as soon as enough is here to begin: nothing is waited for that is not needed for the first sound.
package func openDecoder(
  _ bytes: any ComingBytes, asking help: ForeignHelp = ForeignHelp()
) throws(Fault) -> any Decoder {
  try openDecoder(ComingSource(bytes, help), asking: help)
}
