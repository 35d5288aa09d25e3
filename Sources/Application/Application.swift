/// The use cases: everything that the panel and the control socket can ask for. They are given this value and nothing
/// of the rooms below.
package struct Application: Sendable {
  package let playing: Playing
  package let sound: SoundSettings
  /// Nil where the state folder cannot be used, so that nothing can be stored.
  package let playlists: Playlists?
  /// Nil where the library's database cannot be opened.
  package let browsing: Browsing?
  package let keeping: Keeping
  package let preferences: Preferences
  package let health: Health
  package let inputs: InputLearning
  package let licences: Licences
  /// Set soon after the panel has started; nil where there is no library.
  package var importing: Importing?
  /// Set soon after the panel has started.
  package var sticks: Sticks?
  /// Nil where the board joins no network that somebody chooses on the panel.
  package var wireless: WirelessSetup?

  package init(
    playing: Playing, sound: SoundSettings, playlists: Playlists? = nil, browsing: Browsing? = nil, keeping: Keeping,
    preferences: Preferences, health: Health, inputs: InputLearning, licences: Licences
  ) {
    (self.playing, self.sound, self.playlists) = (playing, sound, playlists)
    (self.browsing, self.keeping) = (browsing, keeping)
    (self.preferences, self.health, self.inputs) = (preferences, health, inputs)
    self.licences = licences
  }
}
