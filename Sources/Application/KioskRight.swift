/// What people who pass by may do at a kiosk, by its word in `[kiosk] allows`.
package enum KioskRight: String, CaseIterable, Sendable {
  case library, search, queue, playlists
  /// Put something behind what is to be played.
  case enqueue
  /// Have something else played at once, and change what is to be played.
  case play
  case pause, skip, seek, volume
  /// The order: shuffled, and again and again.
  case order
  case sleep, sound, downloads, sticks
  /// What the device says of itself.
  case about

  /// Looking, choosing and the knob; nothing of what others have chosen is taken away.
  package static let initial: Set<KioskRight> = [.library, .search, .queue, .enqueue, .volume]
}
