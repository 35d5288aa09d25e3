import Library
import Runtime

/// Where music was chosen, and what that was called.
package struct Origin: Hashable, Sendable {
  package let kind: Listening.Origin
  package let name: String?

  package init(_ kind: Listening.Origin, _ name: String? = nil) {
    self.kind = kind
    self.name = name
  }
}

/// Something that was listened to.
package struct Listening: Equatable, Sendable {
  /// Where it was chosen. The numbers stand in `state.db`.
  package enum Origin: Int64, Sendable {
    /// Nothing is known but that it stood in the queue: entries of older versions.
    case queue = 0
    case album = 1
    case playlist = 2
    case search = 3
    case folder = 4
    case artist = 5
    case genre = 6
    /// What a source has, by its address or as a track of its own.
    case source = 7
    case stick = 8
    /// A list of the whole library, such as what was added last, or a single track of it.
    case library = 9
    /// Paths that a command named.
    case files = 10
    /// The queue that was played before.
    case former = 11
  }

  /// Nil for what no library knew.
  package var recording: ContentKey?
  /// Where it lay at the time.
  package var path: FilePath
  /// Seconds since 1970, by the clock that the board had.
  package var begun: Int64
  /// Sound, without pauses.
  package var lasted: Duration
  package var isFinished: Bool
  package var origin = Origin.queue
  package var originName: String?
  /// Some of it came from its source while it was heard; what a file of this device holds did not.
  package var isStreamed = false

  package init(_ recording: ContentKey?, at path: FilePath, begun: Int64, lasted: Duration, isFinished: Bool) {
    (self.recording, self.path, self.begun, self.lasted, self.isFinished) = (recording, path, begun, lasted, isFinished)
  }

  /// Shorter is looking for something else.
  private static let shortest = Duration.seconds(30)

  /// It counts as played.
  package var isPlay: Bool { isFinished || lasted >= Self.shortest }
}

/// Writes down what was listened to. The program's own log also counts it for the library.
@MainLoop
package protocol ListeningLog: AnyObject {
  /// Listening to an entry has ended, whether or not it was heard to its end. It returns at once.
  func add(_ entry: History.PlayedEntry)
}
