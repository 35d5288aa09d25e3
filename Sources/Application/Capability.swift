/// All that can be asked of the player, whoever asks and however. Rights judge by it, and every face maps what it offers to
/// it by a switch without `default`, so that nothing can be added that nobody has judged.
package enum Capability: String, CaseIterable, Sendable {
  // What plays.
  case playAndPause, skip, seek, seeStatus
  /// Fall asleep after a while, or at an end.
  case sleep
  case shuffleAndRepeat

  // The queue.
  case seeQueue
  /// Go on with another entry of the queue.
  case jump
  /// Put one piece behind what is to be played.
  case addOneToQueue
  /// Put all of something behind what is to be played.
  case addManyToQueue
  /// Play something now or next, in place of the queue or in front of it.
  case playNow
  /// Take out, put back, move and clear entries, and have the queue before back.
  case changeQueue
  case seeHistory, seeBookmarks, forgetBookmark

  // How it sounds.
  case volume
  /// Equaliser, normaliser, crossfade.
  case sound
  /// The music gives way to another sound, such as a call.
  case giveWay

  // The library.
  case browse, search
  /// How much there is, and what of it cannot be read.
  case seeLibrary
  case importMusic
  /// Forget a source, and say what a folder's texts are written in.
  case mendLibrary
  case copyMusic

  // Playlists.
  case seePlaylists, playPlaylist
  /// Make, fill, order, rename and delete them.
  case changePlaylists
  /// Keep the music of one on the device.
  case keepPlaylist

  // Music that is kept offline.
  /// How far it is, what it waits for, and where it is kept.
  case seeDownloads
  /// What a source has, and how much something would be.
  case seeSources
  case want
  /// Pause, go on, try again, give up.
  case changeDownloads
  /// Single tracks of what is wanted, and what may cost money.
  case refineDownloads
  /// Give up what nobody asked for.
  case dismissSmartDownload
  case checkDownloads, moveDownloads, acceptDisk

  // Licences for sealed music, and the accounts they come from.
  case seeLicences, renewLicences
  /// To an account, and out of it.
  case signIn

  // The device.
  case seeSticks, ejectStick
  case seeNotices, seeAbout
  /// Which Wi-Fi networks there are, and how the board stands with them.
  case seeWireless
  case changeWireless
  /// A picture for the telephone of whoever helps.
  case seeReport
  /// All events as they happen, the log, and what the panel shows.
  case observe
  case answerQuestion
  /// Turn the knob and press buttons from afar; what that means is judged like a hand's.
  case gesture
  case changeSettings
  /// Start anew, so that what was chosen counts.
  case restart
  /// Make the device as it was on its first day.
  case eraseDevice
  /// What keys and the knob mean.
  case teachKeys
  /// Open a kiosk's panel by its PIN.
  case unlock
  case lock
  case quit
}
