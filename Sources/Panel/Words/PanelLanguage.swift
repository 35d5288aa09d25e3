import Runtime

/// What the panel speaks. By the names of ISO 639.
package enum PanelLanguage: String, Equatable, Sendable, CaseIterable {
  case english = "en"
  case german = "de"
  case french = "fr"
  case spanish = "es"
  case japanese = "ja"
  case arabic = "ar"
}
