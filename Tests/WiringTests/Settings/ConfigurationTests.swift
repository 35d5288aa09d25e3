import Audio
import Canvas
import Glibc
import Hardware
import Panel
import Playback
import Runtime
import TestSupport
import Testing

@testable import layby

private func board(_ text: String) throws -> Settings {
  try SettingsTable.all.read(board: Array(text.utf8), owner: nil, lastGood: { _ in nil }).settings
}

private func owner(_ text: String, lastGood: String? = nil) throws -> SettingsReading {
  try SettingsTable.all.read(
    board: [], owner: .success(Array(text.utf8)), lastGood: { _ in lastGood.map { Array($0.utf8) } })
}

@Suite("Configuration")
struct ConfigurationTests {
  @Test("an empty file means defaults")
  func defaults() throws {
    let settings = try board("")
    #expect(settings == Settings())
    #expect(settings[.panelSize] == PanelSize(width: 320, height: 240))
    #expect(settings[.audioOutput] == .alsa(device: "default"))
    #expect(settings[.audioBuffer] == .seconds(2))
    #expect(settings[.statePath] == FilePath("/var/lib/layby"))
    #expect(settings[.startVolume] == .last)
    #expect(settings[.resume])
    #expect(settings[.logLevel] == .info)
  }

  @Test("values, comments, quotes, Windows line ends and a byte-order mark are read")
  func reads() throws {
    let text =
      "\u{FEFF}# my board\r\n[ board ] # this one\r\nname = \"Käfer # 3 \\\"\\\\\"   # quoted\r\n\r\n[audio]\r\n"
      + "\toutput=file:/tmp/a b#c.wav # to a file\r\nbuffer = 2s\r\n[panel]\r\nsize = 128x64\r\nfont = /a.ttf , /b.ttf\r\n"
      + "[audio]"
    let settings = try board(text)
    #expect(settings[.boardName] == "Käfer # 3 \"\\")
    #expect(settings[.audioOutput] == .file(FilePath("/tmp/a b#c.wav")))
    #expect(settings[.audioBuffer] == .seconds(2))
    #expect(settings[.panelSize] == PanelSize(width: 128, height: 64))
    #expect(settings[.panelFont] == [FilePath("/a.ttf"), FilePath("/b.ttf")])
  }

  @Test(
    "a mistake names file, line, key, what stands there and what is expected",
    arguments: [
      (
        "\n[audio]\nbufer = 150ms",
        #"board.conf:3: [audio] bufer = 150ms: there is no key "bufer" in [audio]; did you mean "buffer"?"#
      ),
      ("[audo]\nbuffer = 1", #"board.conf:1: [audo]: there is no section "audo"; did you mean "audio"?"#),
      (
        "[xyzzy]",
        #"board.conf:1: [xyzzy]: there is no section "xyzzy"; expected one of board, encoder, buttons, gestures, keys, lines, inputs, panel, lights, power, audio, paths, watchdog, sticks, rights"#
      ),
      ("[sound]", #"board.conf:1: [sound]: there is no section "sound" here; it belongs in layby.conf"#),
      (
        "[panel]\nbuffer = 1s",
        #"board.conf:2: [panel] buffer = 1s: there is no key "buffer" in [panel]; it belongs in [audio]"#
      ),
      (
        "[panel]\nmax_volume = 1",
        #"board.conf:2: [panel] max_volume = 1: there is no key "max_volume" in [panel]; it belongs in [sound] of layby.conf"#
      ),
      (
        "[audio]\nbuffer = 3s",
        "board.conf:2: [audio] buffer = 3s: expected a duration from 40ms to 2s, such as 500ms, 4s or 2m"
      ),
      (
        "[audio]\noutput = nul",
        #"board.conf:2: [audio] output = nul: expected alsa:DEVICE, file:PATH.wav, null or null:fast; did you mean "null"?"#
      ),
      ("[audio]\nbuffer = 1s\nbuffer = 2s", #"board.conf:3: [audio] buffer = 2s: "buffer" stands already in line 2"#),
      ("size = 3", "board.conf:1: size = 3: expected a [section] before the first key"),
      ("[panel]\nhello", ##"board.conf:2: [panel] hello: expected "[section]", "key = value" or "# comment""##),
      ("[panel", "board.conf:1: [panel: expected a section such as [sound]"),
      ("[board]\nname = \"a", "board.conf:2: [board] name = \"a: expected a closing quote"),
      ("[board]\nname = \"a\" b", "board.conf:2: [board] name = \"a\" b: expected nothing behind the closing quote"),
      ("[board]\nname = a\u{7}", "board.conf:2: [board] name = a\u{FFFD}: expected no control characters"),
      (
        "[panel]\nsize =",
        "board.conf:2: [panel] size = : expected width x height in pixels, each from 16 to 4096, such as 320x240"
      ),
    ])
  func mistakes(text: String, message: String) throws {
    let fault = try faultOf { try board(text) }
    #expect(fault.message == message)
    #expect(fault.code == "C-102")
  }

  @Test("bytes that are not UTF-8 are a mistake with a line")
  func notUnicode() throws {
    let bytes = Array("[board]\nname = ".utf8) + [0xE9, 0x0A]
    let fault = try faultOf {
      try SettingsTable.all.read(board: bytes, owner: nil, lastGood: { _ in nil })
    }
    #expect(fault.message.hasPrefix("board.conf:2: [board] name = \u{FFFD}: expected UTF-8"))
  }

  @Test("all mistakes are told, 20 of them at most, and files beyond 64 KiB are none")
  func bounded() throws {
    let many = try faultOf { try board(String(repeating: "nonsense\n", count: 50)) }
    #expect(many.message.split(separator: "\n").count == 21)
    #expect(many.message.hasSuffix("\nand 30 more"))
    let long = try faultOf { try board(String(repeating: "#\n", count: 40_000)) }
    #expect(long.message == "board.conf:1: 80000 bytes: expected at most 65536")
  }

  @Test(
    "a value at each end of its range is accepted, one beyond is not",
    arguments: [
      ("sound", "max_volume", ["0", "100"], ["-1", "101", "1.0", "+5", "", "١"]),
      ("sound", "volume_step", ["1", "20"], ["0", "21"]),
      ("sound", "start_volume", ["last", "0", "100"], ["101", "first"]),
      ("playback", "resume", ["yes", "no"], ["true", "Yes", "1"]),
      (
        "playback", "previous_restarts_after", ["0s", "0ms", "60s", "1m", "59999ms"],
        ["61s", "3", "1h", "-1s", "3 s", "ms"]
      ),
      ("playback", "unplayable_limit", ["1", "100"], ["0", "99999999999999999999"]),
      ("log", "level", ["error", "debug"], ["loud"]),
    ] as [(String, String, [String], [String])])
  func ranges(section: String, key: String, good: [String], bad: [String]) throws {
    for text in good {
      let reading = try owner("[\(section)]\n\(key) = \(text)")
      #expect(reading.notices.isEmpty, "\(text)")
    }
    for text in bad { #expect(try owner("[\(section)]\n\(key) = \(text)").notices.count == 1, "\(text)") }
  }

  @Test("a mistake in the owner's file costs its key: all else counts, and what is not said is as it was last time")
  func lastGood() throws {
    let bad = "[sound]\nmax_volume = 60\nvolume_stepp = 5"
    let kept = try owner(bad, lastGood: "[sound]\nmax_volume = 70\nvolume_step = 3")
    #expect(kept.settings[.maxVolume] == 60 && kept.settings[.volumeStep] == 3)
    #expect(kept.owner == .partly)
    #expect(kept.notices.map(\.code) == ["C-103"])
    #expect(
      kept.notices[0].message.hasSuffix(
        #"did you mean "volume_step"? All else in the file counts, and this is as it was last time"#))

    for lastGood in [nil, bad] {
      let none = try owner(bad, lastGood: lastGood)
      #expect(none.settings[.maxVolume] == 60 && none.settings[.volumeStep] == Settings()[.volumeStep])
      #expect(none.owner == .partly)
      #expect(none.notices.count == 1)
    }

    let good = try owner("[sound]\nmax_volume = 60", lastGood: "[sound]\nmax_volume = 70")
    #expect(good.settings[.maxVolume] == 60)
    #expect(good.owner == .file(Array("[sound]\nmax_volume = 60".utf8)))
  }

  @Test(
    "no mistake makes it louder than it was, nor than a first start where nobody knows",
    arguments: ["max_volume = 6O", "max_volum = 60", "max_volume = 600", "max_volume 60"])
  func neverLouder(line: String) throws {
    let text = "[sound]\nstart_volume = 90\n\(line)\n"
    #expect(try owner(text, lastGood: "[sound]\nmax_volume = 30").settings.loudest == 30)
    // What is no line at all could have been about anything.
    if line.contains("=") { #expect(try owner(text).settings.loudest == 50) }
    let kiosk = "[panel]\nprofle = kiosk\n"
    #expect(try owner(kiosk, lastGood: "[panel]\nprofile = kiosk\n[kiosk]\nmax_volume = 20").settings.loudest == 20)
  }

  @Test("on disk: no owner's file is no fault, an unusable one is told, a missing board's file stops")
  func files() throws {
    let folder = TempFolder()
    let (boardFile, ownerFile) = (folder.path / "board.conf", folder.path / "layby.conf")
    let missing = try faultOf {
      try SettingsTable.all.load(board: boardFile, owner: nil, lastGood: { _ in nil })
    }
    #expect(missing.kind == .missing && missing.code == "C-101")
    try AtomicFile.replace(boardFile, with: Array("[paths]\nstate = /s".utf8))
    let without = try SettingsTable.all.load(board: boardFile, owner: ownerFile, lastGood: { _ in nil })
    #expect(without.notices.isEmpty && without.owner == .defaults)

    try AtomicFile.replace(ownerFile, with: [UInt8](repeating: 0x23, count: 70_000))
    let tooLong = try SettingsTable.all.load(board: boardFile, owner: ownerFile) { settings in
      #expect(settings[.statePath] == FilePath("/s"))
      return Array("[log]\nlevel = debug".utf8)
    }
    #expect(tooLong.settings[.logLevel] == .debug)
    #expect(tooLong.notices.count == 1)

    try AtomicFile.replace(ownerFile, with: Array("[log]\nlevel = error".utf8))
    let good = try SettingsTable.all.load(board: boardFile, owner: ownerFile, lastGood: { _ in nil })
    #expect(good.settings[.logLevel] == .error && good.notices.isEmpty)
  }

  @Test("the boards that come with Layby have settings without a mistake")
  func shippedBoards() throws {
    let boards = FilePath("\(FilePath(#filePath).folder.folder.folder.folder)/board")
    // Beside the boards lie the pages about them.
    let names = try Folder.names(in: boards).map(\.description).filter { !$0.hasSuffix(".md") }
    let files = names.map { boards / $0 / "board.conf" }
    #expect(!files.isEmpty)
    for file in files { _ = try SettingsTable.all.load(board: file, owner: nil, lastGood: { _ in nil }) }
  }
}
