import Application
import Runtime

/// In which words a menu speaks, for whom, and what they may do there.
package struct MenuContext: Equatable, Sendable {
  package var words: PanelWords
  package var profile: PanelProfile
  package var rights: AccessRights

  package init(_ words: PanelWords = .english, _ profile: PanelProfile = .home, rights: AccessRights = .all) {
    (self.words, self.profile, self.rights) = (words, profile, rights)
  }
}
