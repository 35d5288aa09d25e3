import Playback
import Runtime

/// What somebody at the panel wants done that is more than looking.
package enum Wish: Equatable, Sendable {
  /// In place of what was to be played, from the track on where one is named.
  case play(Thing)
  case playNext(Thing)
  case enqueue(Thing)
  case shuffleAll(Thing)
  case jump(UInt64)
  case removeEntry(UInt64)
  case clearQueue
  case add(Thing, toPlaylist: Int64)
  case addToNewPlaylist(Thing)
  case makePlaylist
  case playPlaylist(Int64, shuffled: Bool)
  case enqueuePlaylist(Int64)
  case deletePlaylist(Int64)
  case setShuffle(Bool)
  case setRepeat(PlayQueue.Repeat)
  case sleep(SleepTimer.Until?)
  case setDial(Dial)
  case equaliser(String)
  case normaliser
  /// A setting of the owner's.
  case choose(SettingName, String)
  /// What was chosen shall count.
  case startAnew
  case pauseDownload(DownloadID)
  case resumeDownload(DownloadID)
  case retryDownload(DownloadID)
  case dropDownload(DownloadID)
  case copyStick(String)
  case ejectStick(String)
}
