import Application
import Runtime

/// In which words a menu speaks, for whom, on which panel, and what they may do there.
package struct MenuContext: Equatable, Sendable {
  package var words: PanelWords
  package var profile: PanelProfile
  package var rights: AccessRights
  /// What long texts are cut for.
  package var screen: ScreenClass

  package init(
    _ words: PanelWords = .english, _ profile: PanelProfile = .home, rights: AccessRights = .all,
    on screen: ScreenClass = .tiny
  ) {
    (self.words, self.profile, self.rights, self.screen) = (words, profile, rights, screen)
  }
}
