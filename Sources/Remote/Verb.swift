import Runtime

/// Everything the control socket understands, once: the command line's help, its checks and the answers come from it.
package struct Verb: Sendable {
  package let name: String
  /// As help shows it: `seek [+|-]TIME`.
  package let usage: String
  package let help: String

  package static let all: [Verb] = [
    Verb(name: "play", usage: "play", help: "play, or go on"),
    Verb(name: "pause", usage: "pause", help: "stay where it is"),
    Verb(name: "toggle", usage: "toggle", help: "play when it pauses, pause when it plays"),
    Verb(name: "stop", usage: "stop", help: "stop, and go back to the beginning of the track"),
    Verb(name: "next", usage: "next [N]", help: "the next track, or N on"),
    Verb(name: "previous", usage: "previous [N]", help: "the beginning of the track, or the track before; or N back"),
    Verb(name: "seek", usage: "seek [+|-]TIME", help: "to a place (90, 1:30), or on and back from here (+10, -10)"),
    Verb(name: "volume", usage: "volume 0..100", help: "how loud"),
    Verb(name: "mute", usage: "mute [on|off]", help: "silence, and back to how loud it was"),
    Verb(
      name: "equaliser", usage: "equaliser [off|PRESET|BANDS]",
      help: "how it sounds until the next start, such as 60:+3 8000:-2; alone it lists the presets"),
    Verb(
      name: "normaliser", usage: "normaliser off|track|album|automatic [DB]",
      help: "all music equally loud until the next start, and so many decibels louder, -12 to 12"),
    Verb(
      name: "crossfade", usage: "crossfade TIME [albums]",
      help: "tracks fade into each other until the next start, 0 to 12 s; with albums inside them too"),
    Verb(
      name: "giveway", usage: "giveway begin NAME [duck|pause|rest]|end NAME",
      help: "another sound begins or is over: a call, a voice that shows the way"),
    Verb(name: "turn", usage: "turn N", help: "turn the knob by N steps; back when N is negative"),
    Verb(
      name: "press", usage: "press [long|double] NAME|turn N with NAME",
      help: "press a button by its name; long knob opens the menu and goes back in it"),
    Verb(name: "repeat", usage: "repeat off|all|one", help: "what comes after the last track"),
    Verb(name: "shuffle", usage: "shuffle on|off", help: "in any order; off goes on in its own order"),
    Verb(
      name: "queue",
      usage: "queue [list [FROM [COUNT]]|next [COUNT]|add PATH...|fill LIST [ID]|play LIST [ID]|remove N|jump N|clear]",
      help:
        "what is to be played, in the order in which it is (--from N --count N); fill takes all that a list of browse"
        + " leads to, play has it in place of what was there"),
    Verb(name: "playnext", usage: "playnext PATH...", help: "to be played right after this one"),
    Verb(name: "move", usage: "move N TO", help: "entry N of the queue to the place TO"),
    Verb(name: "remove", usage: "remove N", help: "entry N out of the queue"),
    Verb(
      name: "history", usage: "history [COUNT]|all [before NUMBER]",
      help: "what was heard, the last first; all of it says where it was chosen, too"),
    Verb(name: "bookmarks", usage: "bookmarks [forget PATH]", help: "where long pieces were left"),
    Verb(name: "sleep", usage: "sleep 30m|track|queue|off", help: "fade out and pause after a while, or at an end"),
    Verb(name: "sticks", usage: "sticks", help: "USB sticks that are in, and those that cannot be read"),
    Verb(
      name: "import", usage: "import [PATH...|stop]", help: "bring the music below a folder into the library"),
    Verb(
      name: "copy", usage: "copy [PATH...|album ID|playlist ID|track ID|stop]",
      help: "music to the device, and into the library; alone how far it is (--dry: how much it would be)"),
    Verb(name: "search", usage: "search WORDS...", help: "artists, albums and tracks with words that begin so"),
    Verb(
      name: "letters", usage: "letters [TYPED [LETTER]]",
      help: "the letters with which a search can go on, from behind LETTER"),
    Verb(
      name: "browse", usage: "browse LIST [ID] [after PLACE]",
      help:
        "artists, albums, tracks, genres, books, playlists, folder, added, played, often; artist, by, genre, album or"
        + " playlist with its ID"),
    Verb(
      name: "playlist",
      usage:
        "playlist [list|make NAME|show NAME|add NAME PATH...|fill NAME queue|LIST [ID]|remove NAME ENTRY...|"
        + "move NAME ENTRY [BEHIND]|rename NAME NEW|offline NAME on|off|queue NAME|play NAME|delete NAME]",
      help: "playlists made on the device; entries have the numbers that show tells"),
    Verb(
      name: "library", usage: "library [problems|encoding PATH NAME|guess|forget SOURCE]",
      help: "what there is, and what is wrong with it"),
    Verb(
      name: "offline",
      usage:
        "offline [list|browse KIND [WORDS...]|size KIND NAME|want KIND NAME [at QUALITY] [anyway]|drop KIND NAME|drop all|"
        + "play KIND NAME|queue KIND NAME|"
        + "pause [KIND NAME]|resume [KIND NAME]|again [KIND NAME]|pay KIND NAME|spare KIND NAME|leave TRACK|take TRACK|"
        + "plan [COUNT]|smart [drop TRACK|drop all]|refresh|check [status|stop]|watch|"
        + "disks|move [DISK]|accept]",
      help:
        "music that is fetched and kept: albums, artists, playlists, tracks of a source (from SOURCE); list says how far"
        + " it is and what it waits for, plan --why what is next and why; pay: where bytes cost, too;"
        + " again: what has failed or waits for its server is tried now;"
        + " smart: what is fetched unasked, and why;"
        + " play and queue: to be heard, here or not; move: everything to another disk;"
        + " check: every file, what is nobody's and what failed long ago;"
        + " accept: an empty disk in the place of the one that was used"
    ),
    Verb(name: "status", usage: "status", help: "what plays now"),
    Verb(name: "events", usage: "events", help: "a line for everything that happens, until you stop it"),
    Verb(name: "screen", usage: "screen [OUT.png]", help: "a picture of the panel, or what it says in one line"),
    Verb(name: "questions", usage: "questions", help: "what it asks its owner, on the panel and here"),
    Verb(
      name: "answer", usage: "answer QUESTION ANSWER", help: "answer a question, by its number and the answer's"),
    Verb(name: "health", usage: "health", help: "how the parts of the program are, and how fetching went"),
    Verb(name: "log", usage: "log", help: "the last 1,000 lines of the log"),
  ]

  package static func named(_ name: String) -> Verb? { all.first { $0.name == name } }

  func wrong(_ what: String) -> Fault {
    Fault(.malformed, "X-130", "\(what); expected: layby \(usage)")
  }
}

/// A place that a person names: `90`, `1:30`, `1:02:03.5`, and with a sign a way from here.
package enum SeekTarget: Equatable, Sendable {
  case to(Duration)
  case by(Duration)

  /// Nil when it is none of these, or longer than a hundred hours.
  package init?(_ text: String) {
    let sign = text.first == "+" ? 1 : text.first == "-" ? -1 : 0
    let parts = text.dropFirst(sign == 0 ? 0 : 1).split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var milliseconds: Int64 = 0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard let value = Self.milliseconds(part, fraction: isLast), index == 0 || value < 60_000 else { return nil }
      milliseconds = milliseconds * 60 + value
    }
    guard milliseconds <= 360_000_000 else { return nil }
    self = sign == 0 ? .to(.milliseconds(milliseconds)) : .by(.milliseconds(Int64(sign) * milliseconds))
  }

  private static func milliseconds(_ text: Substring, fraction: Bool) -> Int64? {
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    // A second sign is no digit, though a number could have it.
    guard let whole = halves.first, whole.count <= 7, whole.allSatisfy({ $0.isASCII && $0.isNumber }),
      let seconds = UInt32(whole), halves.count <= (fraction ? 2 : 1)
    else { return nil }
    guard halves.count == 2 else { return Int64(seconds) * 1_000 }
    let digits = halves[1].prefix(3)
    guard !halves[1].isEmpty, halves[1].allSatisfy({ $0.isASCII && $0.isNumber }), let part = Int64(digits) else {
      return nil
    }
    return Int64(seconds) * 1_000 + part * [1: 100, 2: 10, 3: 1][digits.count, default: 1]
  }
}
