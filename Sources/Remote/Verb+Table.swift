extension Verb {
  package static let all: [Verb] = ofPlaying + ofSound + ofQueue + ofLibrary + ofOffline + ofDevice

  private static let ofPlaying = [
    Verb("play", .playing, "play, or go on"),
    Verb("pause", .playing, "pause, and keep the place"),
    Verb("toggle", .playing, "play when it pauses, pause when it plays"),
    Verb("stop", .playing, "stop, and go back to the beginning of the track"),
    Verb("next", .playing, "the next track", ["": "the next track", "COUNT": "so many tracks on"]),
    Verb(
      "previous", .playing, "the beginning of the track, or the track before",
      ["": "the beginning of the track, or the track before", "COUNT": "so many tracks back"]),
    Verb(
      "seek", .playing, "go to another place in the track",
      [
        "TIME": "to a place (90, 1:30), or on and back from here (+10, -10)",
        "chapter CHAPTER|next|previous": "to the beginning of a chapter",
      ]),
    Verb("chapters", .playing, "the chapters of what plays, and where each begins"),
    Verb("status", .playing, "what plays now"),
    Verb(
      "sleep", .playing, "fade out and pause after a while, or at an end",
      [
        "": "when it sleeps",
        "DURATION|chapter|track|queue": "after that time, or at the end of the chapter, the track or the queue",
        "off": "not at all",
      ]),
  ]

  private static let ofSound = [
    Verb(
      "volume", .sound, "how loud the music is",
      ["": "how loud it is", "VOLUME": "make it as loud as that; +5 and -5 make it so much louder or softer"]),
    Verb(
      "mute", .sound, "silence, and back to how loud it was",
      ["": "on when it was off, off when it was on", "on|off": "on or off"]),
    Verb(
      "equaliser", .sound, "low and high tones louder or softer, until the next start",
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
      "giveway", .sound, "tell that another sound begins or is over, such as a call, so that the music gives way",
      ["begin NAME [duck|pause|rest]": "it begins", "end NAME": "it is over"]),
  ]

  private static let ofQueue = [
    Verb(
      "queue", .queue, "the queue: what is played, in its order",
      [
        "": "show all of it", "list [N [COUNT]]": "show COUNT entries from entry N on",
        "next [COUNT]": "show what comes next",
        "add MUSIC...": "add files, folders, playlists (m3u, m3u8, pls, cue), and what a source has",
        "fill LIST [ID]": "add all that a list of layby browse leads to",
        "play LIST [ID]": "play that in place of what was there",
        "remove N": "take entry N out", "undo": "put back what was taken out last", "jump N": "play entry N now",
        "clear": "take everything out",
      ],
      options: [
        Option("--from", .entry, help: "show it from entry N on"),
        Option("--count", .count, help: "show no more entries than that"),
      ]),
    Verb("playnext", .queue, "play something right after this track", ["MUSIC...": "files, folders, playlists"]),
    Verb("move", .queue, "move an entry of the queue to another place", ["N TO": "move entry N to the place TO"]),
    Verb("remove", .queue, "take an entry out of the queue", ["N": "take entry N out"]),
    Verb(
      "shuffle", .queue, "play the queue in random order",
      ["": "whether it is on", "on|off": "off goes on in the queue's own order"]),
    Verb(
      "repeat", .queue, "what comes after the last track",
      ["": "what it is", "off|all|one": "nothing, all again, or this track again"]),
  ]

  private static let ofLibrary = [
    Verb(
      "import", .library, "bring the music below a folder into the library",
      ["": "how far it is", "stop": "stop it", "PATH...": "import these folders"]),
    Verb(
      "search", .library, "find artists, albums and tracks by the beginnings of words",
      ["WORDS...": "in any order; each is the beginning of a word"]),
    Verb(
      "browse", .library, "show a list of the library",
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
        "forget SOURCE": "forget a source that is gone for good",
      ]),
    Verb(
      "playlist", .library, "playlists made on the device",
      [
        "": "all of them", "list": nil, "make NAME": "make a new one", "show PLAYLIST": "show what is in it",
        "show PLAYLIST after PLACE": nil, "add PLAYLIST MUSIC...": "add files, folders, playlists",
        "fill PLAYLIST queue": "add what is in the queue", "fill PLAYLIST LIST [ID]": "add a list of layby browse",
        "remove PLAYLIST ENTRY...": "take entries out, by the numbers that show gives",
        "move PLAYLIST ENTRY [BEHIND]": "move an entry behind another, or to the front",
        "rename PLAYLIST NAME": "give it another name",
        "offline PLAYLIST on|off": "keep on the device what sources have of it, or not any more",
        "offline PLAYLIST on anyway": "also when it does not fit", "queue PLAYLIST": "add it to the queue",
        "play PLAYLIST": "play it in place of the queue", "delete PLAYLIST": "delete it",
      ]),
    Verb(
      "history", .library, "what was heard, the last first",
      [
        "": "the last fifty; ~ stands before what was left early", "COUNT": "the last so many",
        "all [before NUMBER]": "all of it, page by page, from where the page before ended",
      ]),
    Verb(
      "bookmarks", .library, "where long pieces were left",
      ["": "all of them", "forget N": "forget one, by its number", "forget PATH": "forget one, by its path"]),
    Verb(
      "copy", .library, "copy music to the device, and into the library",
      [
        "": "how far it is", "stop": "stop it",
        "album|artist|folder|genre|playlist|track ID": "copy this of the library",
        "plan album|artist|folder|genre|playlist|track ID": nil, "plan PATH...": nil,
        "PATH...": "copy a stick, folders, files",
      ],
      options: [Option("--dry", help: "only say how much it would be")]),
  ]

  private static let ofOffline = [
    Verb(
      "offline", .offline, "fetch music from a source, and keep it",
      [
        "": "how far it is, and what it waits for", "list": nil,
        "state WORDS...": "show how a track is: waiting and why, fetched, kept or failed",
        "state KIND WORDS...": "show the same of each track in something",
        "browse KIND [WORDS...] [from SOURCE]": "show albums, artists, playlists or tracks that a source has",
        "size KIND WORDS... [at QUALITY]": "say how much it would be",
        "want KIND WORDS... [from SOURCE] [at QUALITY] [anyway]":
          "fetch it and keep it; anyway: also if it does not fit",
        "drop all": "keep nothing any more",
        "drop KIND WORDS...": "do not keep it any more", "play KIND WORDS...": "play it now, whether it is here or not",
        "queue KIND WORDS...": "add it to the queue, whether it is here or not",
        "pause [KIND WORDS...]": "do not fetch it, or anything, for now",
        "resume [KIND WORDS...]": "go on fetching it, or everything",
        "again [KIND WORDS...]": "try now what failed or waits for its server",
        "pay KIND WORDS...": "fetch it also where traffic costs money",
        "spare KIND WORDS...": "do not fetch it where traffic costs money",
        "leave WORDS...": "leave a track out of what contains it", "take WORDS...": "take such a track in again",
        "plan [COUNT]": "show what comes next", "smart": "show what is fetched unasked, and why",
        "smart drop WORDS...": "drop one such track for a season, or all", "refresh": "ask sources what is new",
        "check [status|stop]": "check every file, what is nobody's, and what failed long ago",
        "watch": "show how far it is, until nothing more happens", "disks": "show what is kept where",
        "move [DISK]": "move everything to another disk, or show how far that is",
        "accept [DISK]": "use an empty disk in the place of the one that was used",
      ],
      options: [Option("--why", help: "a plan with its reasons")]),
    Verb(
      "rights", .offline, "licences for sealed music: what may be played, and until when",
      [
        "": "all of them", "renew": "fetch them anew now",
        "device": "who this device is: what a depot needs to give it licences",
        "rotate": "make it another device, with new keys; the old ones stay until new licences are here",
      ]),
    Verb(
      "sign-in", .offline, "sign this device in to an account of a depot",
      [
        "": "show a code to type on a telephone or computer, and wait until somebody has done so",
        "NAME": "where there are several depots: to this one",
        "state": "which depots there are, and where this device is signed in",
        "cancel": "wait no more",
        "page [NAME]": nil,
        "code NAME WORDS...": nil,
      ],
      options: [
        Option("--browser", help: "by a page in a browser of this machine, which comes back to a port of it")
      ]),
    Verb(
      "sign-out", .offline, "sign this device out: it gives up its place in the account",
      ["": "of the only depot", "NAME": "of this one"]),
  ]

  private static let ofDevice = [
    Verb(
      "turn", .device, "turn the knob", ["STEPS": "by so many detents; a negative number turns it back"]),
    Verb(
      "press", .device, "press a button by its name",
      [
        "BUTTON": "press it shortly", "long|double BUTTON": "long knob opens the menu and goes back in it",
        "turn STEPS with BUTTON": "turn the knob while the button is pressed",
      ]),
    Verb(
      "screen", .device, "what the panel shows",
      ["": "what it says, in one line", "OUT.png": "save a picture of it in that file"]),
    Verb("sticks", .device, "USB sticks that are in, and those that cannot be read"),
    Verb(
      "wifi", .device, "Wi-Fi: which networks there are, and which is joined",
      [
        "": "how it stands, and the networks in reach", "look": "look for networks now",
        "join NAME [PASSWORD]": "join that network; without a password it is open to everybody",
        "forget": "leave the network for good",
        "hotspot [on|off]": "how the hotspot stands, by which a phone names the network; begin or end it",
      ]),
    Verb("questions", .device, "what the player asks its owner, on the panel and here"),
    Verb(
      "answer", .device, "answer a question", ["QUESTION ANSWER": "by the numbers that layby questions shows"]),
    Verb("health", .device, "how the parts of the program are, and how fetching went"),
    Verb("events", .device, "a line for everything that happens, until you stop it"),
    Verb("log", .device, "the last 1,000 lines of the log"),
    Verb(
      "erase", .device, "make this device as it was on its first day; it restarts",
      [
        "keep-music": "settings, playlists, networks, accounts and licences go; the music on it stays",
        "all": "the music too",
      ]),
  ]
}
