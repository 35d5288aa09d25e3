/// All that can be asked of the player. The panel and the control socket are handed this, and nothing of the rooms below.
/// A use case that is nil cannot be asked: nothing can be remembered, so there is no library.
package struct Application: Sendable {
  package let playing: Playing
  package let sound: SoundSettings
  package let playlists: Playlists?
  package let browsing: Browsing?
  package let keeping: Keeping
  package let preferences: Preferences
  package let health: Health
  package let inputs: InputLearning
  // Nil until whoever imports and copies lives, soon after the panel.
  package var importing: Importing?
  package var sticks: Sticks?

  package init(
    playing: Playing, sound: SoundSettings, playlists: Playlists? = nil, browsing: Browsing? = nil, keeping: Keeping,
    preferences: Preferences, health: Health, inputs: InputLearning
  ) {
    (self.playing, self.sound, self.playlists) = (playing, sound, playlists)
    (self.browsing, self.keeping) = (browsing, keeping)
    (self.preferences, self.health, self.inputs) = (preferences, health, inputs)
  }
}
