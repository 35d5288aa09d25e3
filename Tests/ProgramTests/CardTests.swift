import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("The board's file that layby-board.conf on a card makes")
  struct CardTests {
    @Test("without that file, and with the template as it lies on a new card, everything is found out")
    func template() async throws {
      let without = try await made(nil)
      #expect(without.errors == nil && without.values["panel.device"] == "auto", "\(without)")
      let template = try AtomicFile.read(FilePath("\(Self.board)/layby-board.conf"), limit: 65_536)
      let lines = String(decoding: template, as: UTF8.self).split(separator: "\n")
      let fresh = try await made(lines.joined(separator: "\r\n"))
      #expect(fresh.errors == nil && fresh.text == without.text, "\(fresh)")
    }

    @Test("layby-wifi.conf names a network, its template none; a mistake is told with its line, and no password is")
    func wireless() async throws {
      let template = try AtomicFile.read(FilePath("\(Self.board)/layby-wifi.conf"), limit: 65_536)
      let lines = String(decoding: template, as: UTF8.self).split(separator: "\n")
      let settings = lines.filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }.map { $0.dropFirst() }
      #expect(settings.count == 3)
      let table: [(text: String, network: String?, error: String?)] = [
        (lines.joined(separator: "\r\n"), nil, nil),
        (
          settings.joined(separator: "\r\n"),
          "[network]\nssid = Home\npassword = correct horse battery\ncountry = DE\n", nil
        ),
        ("ssid = Café 2", "[network]\nssid = Café 2\n", nil),
        ("password=hush hush", nil, "Line 1: expected an ssid that this is for."),
        ("ssid=Home\npassword=hush", nil, "Line 2: expected a password of 8 to 63 plain characters"),
        ("ssid=Home\n\ncountry=Germany\n", nil, "Line 3: expected the two letters of a country"),
        ("ssid=Home\nssid=Away\npass=hush hush\n", nil, "Line 2: ssid stands there twice.\nLine 3: expected ssid="),
        (String(repeating: "# long\n", count: 1_000), nil, "The file: the file is longer than 4 KB."),
      ]
      for (text, network, error) in table {
        let home = try Home()
        let (file, made, errors) = (home.folder / "wifi", home.folder / "made", home.folder / "errors")
        try home.write(text, to: file)
        let ran = try await Finished(
          [
            Built.layby, "board", "--base", "\(Self.board)/board.conf", "--from", "\(home.folder / "none")", "--write",
            "\(home.folder / "board")", "--errors", "\(errors)", "--wifi", "\(file)", "--write-setup", "\(made)",
          ], in: home)
        #expect(ran.code == 0)
        let found = try? AtomicFile.read(made, limit: 4_096)
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == network)
        let told = (try? AtomicFile.read(errors, limit: 65_536)).map { String(decoding: $0, as: UTF8.self) }
        #expect(told == nil && error == nil || told?.contains(error ?? "?") == true, "\(told ?? "nothing")")
        #expect(told?.contains("hush") != true)
        if told != nil { #expect(told?.hasPrefix("layby-wifi.conf has ") == true) }
      }
    }

    @Test("the card's name for the board goes the same way as its network, with one or without")
    func name() async throws {
      let table: [(card: String, wifi: String?, setup: String?)] = [
        ("name=My car\n", nil, "[board]\nname = My car\n"),
        ("name=My car\n", "ssid=Home\n", "[network]\nssid = Home\n[board]\nname = My car\n"),
        // What is wrong in one of both files costs nothing of the other.
        ("name=My car\n", "ssid=\n", "[board]\nname = My car\n"),
        ("name=My\tcar\n", "ssid=Home\n", "[network]\nssid = Home\n"), ("dac=hdmi\n", nil, nil),
      ]
      for (card, wifi, setup) in table {
        let home = try Home()
        let (file, network, made) = (home.folder / "card", home.folder / "wifi", home.folder / "made")
        try home.write(card, to: file)
        if let wifi { try home.write(wifi, to: network) }
        let ran = try await Finished(
          [
            Built.layby, "board", "--base", "\(Self.board)/board.conf", "--from", "\(file)", "--write",
            "\(home.folder / "board")", "--wifi", "\(network)", "--write-setup", "\(made)",
          ], in: home)
        #expect(ran.code == 0)
        let found = (try? AtomicFile.read(made, limit: 4_096)).map { String(decoding: $0, as: UTF8.self) }
        #expect(found == setup, "\(card) \(wifi ?? "")")
        guard setup?.contains("My car") == true else { continue }
        let (kept, told) = (home.folder / "network", home.folder / "told")
        try Folder.make(told)
        let taken = try await Finished(
          [
            Built.layby, "setup", "--state", "\(home.folder)", "--card", "\(made)", "--network", "\(kept)", "--told",
            "\(told)",
          ], in: home)
        let hostName = try AtomicFile.read(kept / "hostname", limit: 100)
        #expect(taken.code == 0 && String(decoding: hostName, as: UTF8.self) == "my-car\n", "\(taken)")
      }
    }

    @Test("layby.conf on the card becomes the owner's file, once: what is written there later stays")
    func ownersFile() async throws {
      let home = try Home()
      let (card, owner, last) = (home.folder / "card.conf", home.folder / "layby.conf", home.folder / "last")
      func take(_ text: String) async throws -> String {
        try home.write(text, to: card)
        let ran = try await Finished(
          [Built.layby, "card-settings", "--card", "\(card)", "--owner", "\(owner)", "--last", "\(last)"], in: home)
        #expect(ran.code == 0, "\(ran)")
        return String(decoding: try AtomicFile.read(owner, limit: 65_536), as: UTF8.self)
      }
      // As an editor on Windows writes it.
      let first = "\u{FEFF}[panel]\r\nlanguage = de\r\n"
      #expect(try await take(first) == first)
      var facts = stat()
      #expect(owner.withCString { stat($0, &facts) } == 0 && facts.st_mode & 0o007 == 0)
      let explained = try await Finished([Built.layby, "config", "--owner", "\(owner)", "--explain"], in: home)
      #expect(explained.code == 0 && explained.output.contains("de"), "\(explained)")
      try home.write("[panel]\nlanguage = fr\n", to: owner)
      #expect(try await take(first).contains("fr"))
      #expect(try await take("[panel]\nlanguage = es\n").contains("es"))
      // Longer than any settings: what was there stays.
      try home.write(String(repeating: "# long\n", count: 20_000), to: card)
      let long = try await Finished(
        [Built.layby, "card-settings", "--card", "\(card)", "--owner", "\(owner)", "--last", "\(last)"], in: home)
      #expect(long.code != 0 && long.errors.contains("card.conf"), "\(long)")
      #expect(String(decoding: try AtomicFile.read(owner, limit: 65_536), as: UTF8.self).contains("es"))
    }

    @Test("the card's network is taken once, and what is chosen later stays until the file is another one")
    func takenOnce() async throws {
      let home = try Home()
      let (card, network, told) = (home.folder / "card", home.folder / "network", home.folder / "told")
      try Folder.make(told)
      func take(_ text: String) async throws -> (file: String, word: String) {
        try home.write(text, to: card)
        let ran = try await Finished(
          [
            Built.layby, "setup", "--state", "\(home.folder)", "--card", "\(card)", "--network", "\(network)",
            "--told", "\(told)",
          ], in: home)
        #expect(ran.code == 0, "\(ran)")
        let file = try AtomicFile.read(network / "wifi.conf", limit: 4_096)
        let word = (try? AtomicFile.read(told / "result", limit: 100)) ?? []
        _ = (told / "result").withCString { unlink($0) }
        return (String(decoding: file, as: UTF8.self), String(decoding: word, as: UTF8.self))
      }
      let first = try await take("[network]\nssid = Home\npassword = a good one\ncountry = DE\n")
      #expect(first.word == "joining\n" && first.file.contains("ssid=486f6d65") && first.file.contains("country=DE"))
      try home.write("another", to: network / "wifi.conf")
      let again = try await take("[network]\nssid = Home\npassword = a good one\ncountry = DE\n")
      #expect(again.word == "" && again.file == "another")
      let other = try await take("[network]\nssid = Cabin\n")
      #expect(other.word == "joining\n" && other.file.contains("key_mgmt=NONE"))
    }

    @Test("each line of the template counts when its # is taken away, all together, and the player takes the result")
    func wholeTemplate() async throws {
      let template = try AtomicFile.read(FilePath("\(Self.board)/layby-board.conf"), limit: 65_536)
      let lines = String(decoding: template, as: UTF8.self).split(separator: "\n")
      let settings = lines.filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }.map { $0.dropFirst() }
      #expect(settings.count >= 10)
      let all = try await made(settings.joined(separator: "\n"))
      #expect(all.errors == nil, "\(all)")
      let expected = [
        "encoder.lines": "GPIO17, GPIO27", "buttons.knob": "GPIO22", "buttons.play": "GPIO5", "buttons.next": "GPIO6",
        "buttons.previous": "GPIO13", "power.ignition": "GPIO16", "power.ignition_active": "low",
        "panel.backlight": "line:GPIO12", "panel.rotate": "90", "lights.power": "line:GPIO26",
        "board.erase_buttons": "play, next", "inputs.touch_rotate": "90",
      ]
      for (name, value) in expected { #expect(all.values[name] == value, "\(name) in \(all.text)") }
    }

    @Test("where the sound goes: as said, else USB, else a screen, else the headphones; cards are named, not numbered")
    func sound() async throws {
      let usb = ("DAC", true), hdmi = ("vc4hdmi0", false), second = ("vc4hdmi1", false), socket = ("Headphones", false)
      let table: [(String, [(String, Bool)], Set<Int>, String)] = [
        ("auto", [socket, hdmi, usb], [1], "hw:CARD=DAC"), ("auto", [usb, socket, hdmi], [1], "hw:CARD=DAC"),
        ("auto", [socket, hdmi, second], [2], "default:CARD=vc4hdmi1"),
        ("auto", [socket, hdmi], [], "hw:CARD=Headphones"), ("auto", [hdmi], [], "default:CARD=vc4hdmi0"),
        ("auto", [], [], "hw:CARD=Headphones"), ("usb", [socket, usb], [1], "hw:CARD=DAC"),
        ("usb", [socket], [1], "hw:CARD=usb"), ("hdmi", [usb, hdmi], [], "default:CARD=vc4hdmi0"),
        ("headphones", [usb, hdmi], [1], "hw:CARD=Headphones"), ("pcm5102a", [usb], [1], "hw:CARD=pcm5102a"),
        ("hifiberry-dac", [], [], "hw:CARD=hifiberry"), ("max98357a", [], [], "hw:CARD=max98357a"),
        ("wm8960", [], [], "hw:CARD=wm8960"),
      ]
      for (place, cards, screens, output) in table {
        let board = try await made("dac=\(place)", cards, screens)
        #expect(board.values["audio.output"] == "alsa:\(output)", "\(place) with \(cards), screens \(screens)")
      }
    }

    @Test("a name of a sound card in an overlay is the name that the sound is sent to")
    func overlayNames() async throws {
      for place in ["pcm5102a", "hifiberry-dac", "max98357a", "wm8960"] {
        let overlay = try AtomicFile.read(FilePath("\(Self.board)/overlays/dac-\(place).dtso"), limit: 65_536)
        let text = String(decoding: overlay, as: UTF8.self)
        let name = try #require(
          text.split(separator: "\n").first { $0.contains("simple-audio-card,name") }?.split(separator: "\"")[1])
        let board = try await made("dac=\(place)")
        #expect(board.values["audio.output"] == "alsa:hw:CARD=\(name)")
      }
    }

    @Test("what shows the panel")
    func panels() async throws {
      let table = [
        ("auto", "auto"), ("hdmi", "auto"), ("none", "none"), ("ili9341", "/dev/layby-panel"),
        ("st7789", "/dev/layby-panel"), ("ssd1306", "/dev/layby-panel"), ("sh1106", "/dev/layby-panel"),
      ]
      for (panel, device) in table {
        let board = try await made("panel=\(panel)")
        #expect(board.errors == nil && board.values["panel.device"] == device)
      }
    }

    @Test("a pin that two things want is refused with both names, whichever line comes first, and the rest counts")
    func pins() async throws {
      let table = [
        ("button_next=12\ndac=pcm5102a", 1, ["pin 12", "the button next", "the sound card pcm5102a (bit clock)"]),
        ("dac=wm8960\nknob=11,35", 2, ["pin 35", "the knob", "the sound card wm8960 (word clock)"]),
        ("panel=ili9341\nlight=22", 2, ["pin 22", "the panel's light", "the panel ili9341 (reset)"]),
        ("knob=11,13,15\nignition=13", 2, ["pin 13", "the ignition", "the knob"]),
        ("button_play=29\nlamp=29", 2, ["pin 29", "the lamp", "the button play"]),
        ("button_play=3", 1, ["pin 3", "the I2C bus"]), ("lamp=8", 1, ["pin 8", "the serial console"]),
        ("button_play=6", 1, ["pin 6", "power or ground"]), ("knob=11,11", 1, ["pin 11", "twice"]),
      ]
      for (text, line, words) in table {
        let board = try await made(text + "\nname=Van")
        let errors = board.errors ?? ""
        #expect(errors.contains("\nLine \(line): "), "\(text): \(errors)")
        for word in words { #expect(errors.contains(word), "\(text): \(errors)") }
        #expect(board.values["board.name"] == "\"Van\"")
      }
      // Without the sound card the same pin is free.
      #expect(try await made("button_next=12").values["buttons.next"] == "GPIO18")
    }

    @Test("a mistake costs its line alone, is told with what was probably meant, and goes when it is mended")
    func mistakes() async throws {
      let table = [
        ("dac = usb", "dac=usb without any blanks"), ("dca=usb", "did you mean dac?"),
        ("dac=pcm5102", "did you mean pcm5102a?"), ("button_ply=11", "did you mean button_play?"),
        ("panel_rotate=45", "0, 90, 180, 270"), ("knob=11", "knob=11,13,15"), ("knob=11,x", "x is no pin"),
        ("ignition=41", "41 is no pin"), ("ignition", "expected NAME=VALUE"), ("lamp=37\nlamp=40", "in line 1 already"),
        ("name=Küche", "letters beyond English ones"), ("bootcmd=reset", "there is no bootcmd"),
        ("erase_buttons=back", "erase_buttons=back,mute"), ("erase_buttons=back,back", "erase_buttons=back,mute"),
        ("erase_buttons=back,mute", "where the button mute is"),
      ]
      for (text, words) in table {
        let home = try Home()
        let board = try await made(text + "\nbutton_back=36", in: home)
        #expect(board.errors?.contains(words) == true, "\(text): \(board.errors ?? "no word")")
        #expect(board.values["buttons.back"] == "GPIO16", "\(text): \(board.text)")
        let mended = try await made("button_back=36", in: home)
        #expect(mended.errors == nil)
      }
      let long = try await made("lamp=37\n" + String(repeating: "# a comment\n", count: 6_000))
      #expect(long.errors?.contains("longer than 64 KB") == true && long.values["lights.power"] == nil)
    }

    private static let board =
      String(#filePath.dropLast("/Tests/ProgramTests/CardTests.swift".count)) + "/board/raspberry-pi"

    private struct Made {
      let text: String
      let errors: String?
      /// `section.key`; the base's and the card's.
      let values: [String: String]
    }

    /// Makes the file as the unit does, and has the player check it.
    private func made(
      _ card: String?, _ cards: [(String, Bool)] = [], _ screens: Set<Int> = [], in given: Home? = nil
    ) async throws -> Made {
      let home = try given ?? Home()
      let (from, sound, graphics) = (home.folder / "card.conf", home.folder / "asound", home.folder / "drm")
      let (written, told) = (home.folder / "made.conf", home.folder / "errors")
      if let card { try home.write(card, to: from) }
      for folder in [sound, graphics] { try Folder.make(folder) }
      for (number, one) in cards.enumerated() {
        try Folder.make(sound / "card\(number)")
        try home.write("\(one.0)\n", to: sound / "card\(number)/id")
        if one.1 { try home.write("0d8c:0014\n", to: sound / "card\(number)/usbid") }
      }
      for socket in 1...2 {
        let folder = graphics / "card1-HDMI-A-\(socket)"
        try Folder.make(folder)
        try home.write(screens.contains(socket) ? "connected\n" : "disconnected\n", to: folder / "status")
      }
      let words = [
        "board", "--base", "\(Self.board)/board.conf", "--from", "\(from)", "--write", "\(written)", "--errors",
        "\(told)", "--sound", "\(sound)", "--graphics", "\(graphics)",
      ]
      let ran = try await Finished([Built.layby] + words, in: home)
      #expect(ran.code == EX_OK, "\(ran.errors)")
      let checked = try await Finished([Built.layby, "config", "--board", "\(written)"], in: home)
      #expect(checked.code == EX_OK, "\(checked.output)\(checked.errors)")
      let text = String(decoding: try AtomicFile.read(written, limit: 65_536), as: UTF8.self)
      var (section, values) = ("", [String: String]())
      for line in text.split(separator: "\n") where !line.hasPrefix("#") {
        if line.hasPrefix("[") {
          section = String(line.dropFirst().dropLast())
        } else if let sign = line.firstIndex(of: "=") {
          values["\(section).\(trimmed(line[..<sign]))"] = String(trimmed(line[line.index(after: sign)...]))
        }
      }
      let errors = Home.exists(told) ? String(decoding: try AtomicFile.read(told, limit: 65_536), as: UTF8.self) : nil
      return Made(text: text, errors: errors, values: values)
    }
  }
}
