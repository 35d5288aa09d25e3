import Formats
import Playback
import Runtime

/// The chapters of what plays.
extension PlayerService {
  var chaptersJSON: JSON {
    .list(
      (playing.status.track?.chapters ?? []).enumerated().map { index, chapter in
        ["number": JSON(index + 1), "begins_s": JSON(chapter.begins.inSeconds), "title": JSON(chapter.title)]
      })
  }

  /// Where the chapter begins that was asked for.
  func chapter(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> Duration {
    let (chapters, place) = (playing.status.track?.chapters ?? [], playing.status.place.elapsed)
    guard !chapters.isEmpty else { throw Fault(.missing, "X-204", "what plays has no chapters") }
    let word = arguments.dropFirst().first.flatMap(\.word) ?? ""
    switch word {
    case "next":
      guard let next = chapters.next(from: place) else { throw Fault(.missing, "X-205", "this is the last chapter") }
      return next
    case "previous": return chapters.previous(from: place)
    default:
      guard let number = Int(word), chapters.indices.contains(number - 1) else {
        throw Fault(.missing, "X-206", "there is no chapter \(shownBriefly(word)); there are \(chapters.count)")
      }
      return chapters[number - 1].begins
    }
  }
}
