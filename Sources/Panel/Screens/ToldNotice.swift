import Canvas

/// A notice, or a state of the device that is told as one, in the ways in which a panel can say it.
struct ToldNotice: Equatable {
  /// What happened: of one that stands the first sentence, and else all of it.
  var title: String
  /// What happens now, and what can be done.
  var rest = ""
  /// In place of the title, where that is cut.
  var inShort: String?
  var stands = true

  init(_ title: String, rest: String, inShort: String?) {
    (self.title, self.rest, self.inShort) = (title, rest, inShort)
  }

  init(_ text: String, inShort: String?, stands: Bool) {
    (self.inShort, self.stands) = (inShort, stands)
    if stands { (title, rest) = NowPlayingScreen.titleAndRest(of: text) } else { title = text }
  }

  /// The last sentence says what can be done.
  var advice: String { TextPieces.of(rest, longest: .max).last ?? "" }

  /// In one style: as much of the text as is read to its end in so many lines, or what it is in short.
  static func fitting(_ text: String, inShort: String?, _ face: Face, width: Int, lines: Int) -> String {
    let cut = NowPlayingScreen.shortened(text, face, width, lines: lines)
    guard let inShort else { return cut }
    return face.lines(of: cut, width: width, atMost: lines).fit(width) ? cut : inShort
  }
}
