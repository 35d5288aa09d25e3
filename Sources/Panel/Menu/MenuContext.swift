import Application
import Runtime

/// In which words a menu speaks, for whom and for which hands, on which panel, and what they may do there.
package struct MenuContext: Equatable, Sendable {
  package var words: PanelWords
  package var profile: PanelProfile
  package var rights: AccessRights
  /// There was a finger on the panel; otherwise hands are told of a knob and keys.
  package var isTouched: Bool
  /// What long texts are cut for.
  package var screen: ScreenClass

  package init(
    _ words: PanelWords = .english, _ profile: PanelProfile = .home, rights: AccessRights = .all,
    isTouched: Bool = false, on screen: ScreenClass = .tiny
  ) {
    (self.words, self.profile, self.rights) = (words, profile, rights)
    (self.isTouched, self.screen) = (isTouched, screen)
  }
}
