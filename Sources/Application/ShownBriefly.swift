import Runtime

/// For messages about what somebody asked for: a name is shown as far as a person would read it, and an answer is not as long
/// as the question was.
package func shownBriefly(_ text: String) -> String {
  let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
  return shownPlain(shown) + (shown.utf8.count < text.utf8.count ? "..." : "")
}
