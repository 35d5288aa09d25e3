import Library
import Playback
import Runtime

/// What the menus show and change, as the house has it. Whatever takes its time is waited for; the panel goes on
/// meanwhile.
@Deck
package protocol MenuHouse: AnyObject {
  func page(of list: List, after key: PageKey?, count: Int) async throws(Fault) -> Page
  func page(of list: List, before key: PageKey, count: Int) async throws(Fault) -> [Row]
  func letters(of list: List) async throws(Fault) -> [Letter]
  func search(_ words: String, for wanted: Catalogue.Wanted, count: Int) async throws(Fault) -> [Row]
  /// What can follow what was typed.
  func wheel(after typed: String) async throws(Fault) -> [String]

  /// What is to be played, from a place on, with what is known of it.
  func queue(from: Int, count: Int) async -> [QueuedTrack]
  func playlists() async throws(Fault) -> [OwnPlaylist]
  func names(ofPlaylist id: Int64, count: Int) async throws(Fault) -> [(title: String, detail: String)]

  /// False where nothing is ever fetched.
  var fetches: Bool { get }
  func downloads() async throws(Fault) -> [ShownDownload]
  var sticks: [ShownStick] { get }
  var equalisers: [String] { get }
  /// As they are now, with what was chosen here.
  var settings: Settings { get }
  /// Chosen, and not done before the next start.
  var waiting: Set<SettingName> { get }
  /// What somebody who helps from afar has to know, in few words.
  func report() async -> String
  /// What a person who helps asks for: a name and how it stands.
  func facts() async -> [(name: String, value: String)]

  func fulfil(_ wish: Wish) async throws(Fault)
}

package struct QueuedTrack: Equatable, Sendable {
  package var entry: PlayQueue.Entry
  package var title: String
  package var artist: String

  package init(_ entry: PlayQueue.Entry, title: String, artist: String) {
    (self.entry, self.title, self.artist) = (entry, title, artist)
  }
}

package struct ShownDownload: Equatable, Sendable {
  package enum State: Sendable { case whole, running, waiting, paused, failed }

  package var id: DownloadID
  package var state: State
  package var bytes: Int64 = 0
  package var size: Int64 = 0
  /// Bytes a second, lately.
  package var speed: Int64 = 0
  package var left: Duration?
  /// Why it does not go on, in plain words with their codes.
  package var why: [String] = []
  /// Why it is wanted, where nobody has asked for it.
  package var because: [String] = []

  package init(_ id: DownloadID, _ state: State) { (self.id, self.state) = (id, state) }
}

package struct ShownStick: Equatable, Sendable {
  /// Where it is in the tree of files.
  package var id: String
  package var label: String
  package var folder: Int64?

  package init(_ id: String, _ label: String, folder: Int64?) {
    (self.id, self.label, self.folder) = (id, label, folder)
  }
}
