import Application
import Runtime

/// How the panel says things: its letters, words and colours, and for whom. All screens are drawn with one.
package struct PanelLook {
  package let type: PanelType
  package var words: PanelWords
  package var theme: Theme
  package var style: PanelStyle

  package init(
    type: PanelType, words: PanelWords = .english, theme: Theme = .night, style: PanelStyle = PanelStyle()
  ) {
    (self.type, self.words, self.theme, self.style) = (type, words, theme, style)
  }

  var isForCars: Bool { style.isForCars }
  var isTouched: Bool { style.isTouched }
}

/// What a screen has room for, apart from colours and words.
package struct PanelStyle: Equatable, Sendable {
  package var profile: PanelProfile
  /// It can be touched, so what can be done is there to be touched.
  package var isTouched: Bool
  /// What cannot be done is not there to be touched.
  package var rights: AccessRights
  /// Ground and accent are in the colour of what plays.
  package var takesCoverColours = true
  /// Nil while nobody has said how large the panel is.
  package var diagonal: PanelDiagonal?

  package init(_ profile: PanelProfile = .home, isTouched: Bool = false, rights: AccessRights = .all) {
    (self.profile, self.isTouched, self.rights) = (profile, isTouched, rights)
  }

  var isForCars: Bool { profile == .car }
}
