extension Verb {
  package static let all: [Verb] = ofPlaying + ofSound + ofQueue + ofLibrary + ofOffline + ofDevice

  private static let ofPlaying = [
    Verb("play", .playing, "play, or go on"),
    Verb("pause", .playing, "stay where it is"),
    Verb("toggle", .playing, "play when it pauses, pause when it plays"),
    Verb("stop", .playing, "stop, and go back to the beginning of the track"),
    Verb("next", .playing, "the next track", ["": "the next track", "COUNT": "so many tracks on"]),
    Verb(
      "previous", .playing, "the beginning of the track, or the track before",
      ["": "the beginning of the track, or the track before", "COUNT": "so many tracks back"]),
    Verb(
      "seek", .playing, "to another place in the track",
      ["TIME": "to a place (90, 1:30), or on and back from here (+10, -10)"]),
    Verb("status", .playing, "what plays now"),
    Verb(
      "sleep", .playing, "fade out and pause after a while, or at an end",
      ["": "when it sleeps", "DURATION|track|queue": "after that, or at the end of it", "off": "not any more"]),
  ]

  private static let ofSound = [
    Verb(
      "volume", .sound, "how loud",
      ["": "how loud it is", "VOLUME": "as loud as that; +5 and -5 make it so much louder or softer"]),
    Verb(
      "mute", .sound, "silence, and back to how loud it was",
      ["": "on when it was off, off when it was on", "on|off": "on or off"]),
    Verb(
      "equaliser", .sound, "how it sounds until the next start",
      [
        "": "which it is, and the presets", "PRESET": "one of the presets; off for none",
        "BANDS...": "up to ten bands, such as 60:+3 8000:-2",
      ]),
    Verb(
      "normaliser", .sound, "all music equally loud until the next start",
      [
        "": "what is done",
        "off|track|album|automatic [DB]": "what is made equally loud; so many decibels louder, -12 to 12",
      ]),
    Verb(
      "crossfade", .sound, "tracks fade into each other until the next start",
      ["": "how long", "SECONDS [albums]": "0 to 12 seconds; with albums inside them too"]),
    Verb(
      "giveway", .sound, "another sound begins or is over: a call, a voice that shows the way",
      ["begin NAME [duck|pause|rest]": "it begins", "end NAME": "it is over"]),
  ]

  private static let ofQueue = [
    Verb(
      "queue", .queue, "what is to be played, in the order in which it is",
      [
        "": "all of it", "list [N [COUNT]]": "from entry N on, so many", "next [COUNT]": "what comes next",
        "add MUSIC...": "files, folders, playlists (m3u, m3u8, pls, cue), and what a source has",
        "fill LIST [ID]": "all that a list of browse leads to",
        "play LIST [ID]": "the same, in place of what was there",
        "remove N": "entry N out of it", "jump N": "play entry N now", "clear": "all out of it",
      ],
      options: [
        Option(name: "--from", value: "N", help: "show it from entry N on"),
        Option(name: "--count", value: "N", help: "show no more than N entries"),
      ]),
    Verb("playnext", .queue, "to be played right after this one", ["MUSIC...": "files, folders, playlists"]),
    Verb("move", .queue, "an entry of the queue to another place", ["N TO": "entry N to the place TO"]),
    Verb("remove", .queue, "an entry out of the queue", ["N": "entry N"]),
    Verb("shuffle", .queue, "in any order", ["": "whether it is", "on|off": "off goes on in the queue's own order"]),
    Verb(
      "repeat", .queue, "what comes after the last track",
      ["": "what it is", "off|all|one": "nothing, all again, or this track again"]),
  ]

  private static let ofLibrary = [
    Verb(
      "import", .library, "bring the music below a folder into the library",
      ["": "how far it is", "stop": "no further", "PATH...": "these folders"]),
    Verb(
      "search", .library, "artists, albums and tracks with words that begin so",
      ["WORDS...": "in any order; each is the beginning of a word"]),
    Verb(
      "browse", .library, "a list of the library",
      [
        "LIST [after PLACE]":
          "artists, albums, tracks, genres, books, podcasts, playlists, folder, added, played, often",
        "LIST ID [after PLACE]": "artist, by (an artist's tracks), genre, album, playlist, folder, track",
      ]),
    Verb(
      "letters", .library, "the letters with which a search can go on",
      ["[TYPED [LETTER]]": "after what was typed, from behind LETTER"]),
    Verb(
      "library", .library, "what there is, and what is wrong with it",
      [
        "": "how much there is, and its sources", "problems": "what cannot be read",
        "encoding PATH ENCODING": "what the texts of a folder are written in; guess to have it guessed again",
        "forget SOURCE": "a source that is away for good",
      ]),
    Verb(
      "playlist", .library, "playlists made on the device",
      [
        "": "all of them", "list": nil, "make NAME": "a new one", "show PLAYLIST": "what is in it",
        "show PLAYLIST after PLACE": nil, "add PLAYLIST MUSIC...": "files, folders, playlists",
        "fill PLAYLIST queue": "with what is in the queue", "fill PLAYLIST LIST [ID]": "with a list of browse",
        "remove PLAYLIST ENTRY...": "entries, by the numbers that show gives",
        "move PLAYLIST ENTRY [BEHIND]": "an entry behind another, or to the front",
        "rename PLAYLIST NAME": "another name",
        "offline PLAYLIST on|off": "what sources have of it is kept on the device",
        "offline PLAYLIST on anyway": "also when it does not fit", "queue PLAYLIST": "behind the queue",
        "play PLAYLIST": "in place of the queue", "delete PLAYLIST": "gone",
      ]),
    Verb(
      "history", .library, "what was heard, the last first",
      [
        "": "the last fifty, ~ before what was left early", "COUNT": "the last so many",
        "all [before NUMBER]": "all of it, page by page, and from where",
      ]),
    Verb(
      "bookmarks", .library, "where long pieces were left",
      ["": "all of them", "forget N": "one of them, by its number", "forget PATH": "one of them, by its path"]),
    Verb(
      "copy", .library, "music to the device, and into the library",
      [
        "": "how far it is", "stop": "no further", "album|artist|folder|genre|playlist|track ID": "of the library",
        "plan album|artist|folder|genre|playlist|track ID": nil, "plan PATH...": nil,
        "PATH...": "a stick, folders, files",
      ],
      options: [Option(name: "--dry", value: nil, help: "only say how much it would be")]),
  ]

  private static let ofOffline = [
    Verb(
      "offline", .offline, "music that is fetched from a source, and kept",
      [
        "": "how far it is, and what it waits for", "list": nil,
        "state WORDS...": "how a track is: waiting and why, fetched, kept or failed",
        "state KIND WORDS...": "the same of each track in something",
        "browse KIND [WORDS...] [from SOURCE]": "albums, artists, playlists or tracks that a source has",
        "size KIND WORDS... [at QUALITY]": "how much it would be",
        "want KIND WORDS... [from SOURCE] [at QUALITY] [anyway]":
          "fetch it and keep it; anyway: also if it does not fit",
        "drop all": "nothing is kept any more",
        "drop KIND WORDS...": "it is not kept any more", "play KIND WORDS...": "hear it now, here or not",
        "queue KIND WORDS...": "the same, behind the queue", "pause [KIND WORDS...]": "do not fetch, for now",
        "resume [KIND WORDS...]": "fetch again", "again [KIND WORDS...]": "try now what failed or waits for its server",
        "pay KIND WORDS...": "also where bytes cost", "spare KIND WORDS...": "not where bytes cost",
        "leave WORDS...": "a track out of what contains it", "take WORDS...": "a track in again",
        "plan [COUNT]": "what comes next", "smart": "what is fetched unasked, and why",
        "smart drop WORDS...": "a track of it away for a season, or all", "refresh": "ask sources what is new",
        "check [status|stop]": "every file, what is nobody's, and what failed long ago",
        "watch": "how far it is, until nothing more happens", "disks": "what is kept where",
        "move [DISK]": "everything to another disk, or how far that is",
        "accept": "use an empty disk in the place of the one that was used",
      ],
      options: [Option(name: "--why", value: nil, help: "a plan with its reasons")])
  ]

  private static let ofDevice = [
    Verb(
      "turn", .device, "turn the knob", ["STEPS": "so many steps; back when it is negative"]),
    Verb(
      "press", .device, "press a button by its name",
      [
        "BUTTON": "shortly", "long|double BUTTON": "long knob opens the menu and goes back in it",
        "turn STEPS with BUTTON": "turn the knob while the button is pressed",
      ]),
    Verb(
      "screen", .device, "what the panel shows",
      ["": "what it says, in one line", "OUT.png": "a picture of it, into that file"]),
    Verb("sticks", .device, "USB sticks that are in, and those that cannot be read"),
    Verb("questions", .device, "what it asks its owner, on the panel and here"),
    Verb(
      "answer", .device, "answer a question", ["QUESTION ANSWER": "by the numbers that layby questions shows"]),
    Verb("health", .device, "how the parts of the program are, and how fetching went"),
    Verb("events", .device, "a line for everything that happens, until you stop it"),
    Verb("log", .device, "the last 1,000 lines of the log"),
  ]
}
