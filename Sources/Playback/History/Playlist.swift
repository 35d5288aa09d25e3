import Library
import Runtime

/// A playlist that was made on the device.
package struct Playlist: Equatable, Sendable {
  package let id: Int64
  package let name: String
  /// Its music shall be on the device.
  package let isOffline: Bool
  package let count: Int64
  package let duration: Duration
  package let changedAt: Int64
}

/// What stands in it: a recording, wherever it lies; the path is where it lay when it was added.
package struct PlaylistEntry: Equatable, Sendable {
  package let id: Int64
  package let place: Int64
  package let recording: ContentKey?
  package let path: FilePath
  package let duration: Duration
  package let addedAt: Int64
}

/// What is to be added.
package struct PlaylistWish: Equatable, Sendable {
  package var recording: ContentKey?
  package var path: FilePath
  package var duration: Duration

  package init(_ recording: ContentKey?, at path: FilePath, lasting duration: Duration) {
    (self.recording, self.path, self.duration) = (recording, path, duration)
  }
}
