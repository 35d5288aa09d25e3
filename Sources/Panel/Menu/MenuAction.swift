import Application
import Audio
import Hardware
import Playback
import Runtime

/// What somebody at the panel wants done that is more than looking.
package enum MenuAction: Equatable, Sendable {
  /// In place of what was to be played, from the track on where one is named.
  case play(Thing)
  case playNext(Thing)
  case addToQueue(Thing)
  case shuffleAll(Thing)
  case jump(UInt64)
  case removeEntry(UInt64)
  /// An entry that was taken out.
  case putBack(UInt64)
  /// So many places on, or back.
  case moveEntry(UInt64, by: Int)
  case clearQueue
  /// What something was played in place of.
  case playFormer
  case add(Thing, toPlaylist: Int64)
  /// Without a name it is given the next of its kind.
  case makePlaylist(String, with: Thing?)
  case playPlaylist(Int64, shuffled: Bool)
  case addPlaylistToQueue(Int64)
  case renamePlaylist(Int64, String)
  case playEntry(Int64, ofPlaylist: Int64)
  case removeFromPlaylist(Int64, entry: Int64)
  /// Behind another; nil: to the front.
  case moveInPlaylist(Int64, entry: Int64, behind: Int64?)
  case deletePlaylist(Int64)
  case setShuffle(Bool)
  case setRepeat(PlayQueue.Repeat)
  case sleep(SleepTimer.Until?)
  case setDial(Dial)
  /// To a place of an entry, if that is still what plays. `turnedFrom`: where it was when somebody began to turn through it.
  case goTo(Duration, entry: UInt64, turnedFrom: Duration? = nil)
  case equaliser(String)
  /// The curve for the night, or the one that was chosen before it.
  case night(Bool)
  case normaliser(NormaliserMode)
  /// A setting of the owner's.
  case choose(SettingName, String)
  /// What was chosen shall count.
  case startAnew
  /// The device is to be as it was on its first day.
  case erase(EraseExtent)
  /// Fetch it and keep it. `isAnyway`: as much of it as there is room for.
  case keep(OfferID, ShownQuality, isAnyway: Bool)
  /// It goes from the device, unless something else keeps it.
  case stopKeeping(OfferID)
  /// Have the music of a playlist on the device, or no longer.
  case keepPlaylist(Int64, Bool)
  case pauseDownload(DownloadID)
  case resumeDownload(DownloadID)
  case retryDownload(DownloadID)
  case dropDownload(DownloadID)
  case pauseAllDownloads
  case resumeAllDownloads
  /// Something that nobody asked for.
  case dismissSmartDownload(String)
  /// Look at everything that is kept, or leave off.
  case check(Bool)
  /// All that is kept, to another disk.
  case move(String)
  case renewLicences
  /// To a source, by its name.
  case signIn(String)
  case callOffSignIn(String)
  case signOut(String)
  case copyStick(String)
  case ejectStick(String)
  case unbind(KeyName)
  /// It means what it did before it was taught.
  case forgetKey(KeyName)
  /// It is as the board's file has it.
  case forgetKnob
  /// Those notices that do not stand are put away.
  case clearNotices
  case lookForNetworks
  /// Without a password it is open to everybody.
  case joinNetwork(String, password: String?)
  case forgetNetwork
  /// The board becomes an access point for ten minutes, and leaves its network for so long.
  case startHotspot
  case stopHotspot
  /// Whoever comes next has the rights of those who pass by.
  case lock
}

extension MenuAction {
  /// Something is less after it.
  var takesAway: Bool {
    switch self {
    case .removeEntry, .clearQueue, .removeFromPlaylist, .deletePlaylist, .stopKeeping, .dropDownload,
      .dismissSmartDownload,
      .unbind, .signOut, .forgetNetwork,
      .forgetKey, .forgetKnob, .clearNotices, .erase, .keepPlaylist(_, false):
      true
    default: false
    }
  }
}
