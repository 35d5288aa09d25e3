import Audio
import Formats
import Hardware
import Library
import Offline
import Playback
import Runtime
import Services

/// What stands for one argument in a verb's form, or for an option's value: `VOLUME` in `volume [VOLUME]`. Refusals,
/// help, suggestions, the manual page and bash's completion all come from here, and the command line knows from here
/// which arguments are paths.
package enum ArgumentKind: String, CaseIterable, Sendable {
  case count = "COUNT"
  case entry = "N"
  case place = "TO"
  case number = "NUMBER"
  case steps = "STEPS"
  case volume = "VOLUME"
  case time = "TIME"
  case chapter = "CHAPTER"
  case duration = "DURATION"
  case fade = "SECONDS"
  case decibels = "DB"
  case preset = "PRESET"
  case bands = "BANDS"
  /// One path that is not looked into.
  case path = "PATH"
  /// Files, folders, playlists and addresses: whatever leads to something that can be played.
  case music = "MUSIC"
  case picture = "OUT.png"
  case list = "LIST"
  case id = "ID"
  case token = "PLACE"
  case container = "KIND"
  case encoding = "ENCODING"
  case question = "QUESTION"
  case answer = "ANSWER"
  case playlist = "PLAYLIST"
  case entries = "ENTRY"
  case behind = "BEHIND"
  case name = "NAME"
  case password = "PASSWORD"
  case button = "BUTTON"
  case disk = "DISK"
  case source = "SOURCE"
  case typed = "TYPED"
  case letter = "LETTER"
  case words = "WORDS"
  case quality = "QUALITY"
  case span = "SPAN"
  // For what needs no running player.
  case file = "FILE"
  case folder = "DIR"
  case output = "OUTPUT"
  case setting = "SETTING"
  case verb = "VERB"

  /// What a person is told that it should have been.
  package var expected: String {
    switch self {
    case .count: "how many, from 1"
    case .entry, .place: "the number of an entry, as layby queue shows it"
    case .number: "the number with which the page before ended"
    case .steps: "steps, -1000 to 1000"
    case .volume: "a volume from 0 to 100, or +5 and -5 for so much louder or softer"
    case .time: "a time such as 90 or 1:30, or +10 and -10 for seconds on and back"
    case .chapter: "the number of a chapter, as layby chapters shows it"
    case .duration: "a time such as 30m, 1h or 1h30m, at most \(SleepTimer.longest.milliseconds / 3_600_000)h"
    case .fade: "seconds, 0 to \(Int(Joint.longest.inSeconds))"
    case .decibels: "decibels, \(NormaliserMode.preamps.lowerBound) to \(NormaliserMode.preamps.upperBound)"
    case .preset: "a preset (\(choices.joined(separator: ", ")))"
    case .bands: "bands such as 60:+3 or 8000:-2"
    case .path: "a path"
    case .music: "a file, a folder, a playlist or an address"
    case .picture: "the name of a file for the picture"
    case .list: "a list (\(choices.joined(separator: ", ")))"
    case .id: "a number, as search and browse show it"
    case .token: "a place, as the page before gave it"
    case .container: "one of \(ContainerID.Kind.allCases.map(\.rawValue).joined(separator: ", "))"
    case .encoding: "an encoding (\(choices.joined(separator: ", ")))"
    case .question: "the number of a question"
    case .answer: "the number of an answer"
    case .playlist: "a playlist's name or number"
    case .entries: "the number of an entry, as layby playlist show gives it"
    case .behind: "the number of the entry behind which it is to stand"
    case .name: "a name"
    case .password: "a password"
    case .button: "a button (\(choices.joined(separator: ", ")))"
    case .disk: "a disk's name, as layby offline disks shows it"
    case .source: "a source's number, label or path, as layby library shows it"
    case .typed: "what was typed so far"
    case .letter: "a letter"
    case .words: "a name or words"
    case .span: "a span of time such as 500ms, 20s or 5m"
    case .quality: "a quality (\(choices.joined(separator: ", ")))"
    case .file: "a file"
    case .folder: "a folder"
    case .output: "an output (\(SoundOutput.expected))"
    case .setting: "a setting such as sound.max_volume, or a section such as sound"
    case .verb: "a verb, as layby help lists them"
    }
  }

  /// What it may be, where that can be listed here. The program knows the settings and its own verbs.
  package var choices: [String] {
    switch self {
    case .preset: ["off", "flat"] + EqualiserCurve.presets.map(\.name).filter { !["off", "flat"].contains($0) }
    case .list: List.names
    case .container: ContainerID.Kind.allCases.flatMap { [$0.rawValue, $0.rawValue + "s"] }
    case .encoding: TextEncoding.allCases.map(\.rawValue) + ["guess"]
    case .button: Setting<LineName?>.buttonNames
    case .quality: Quality.allCases.map(\.name)
    case .output: SettingEntry(Setting<SoundOutput>.audioOutput).choices
    default: []
    }
  }

  /// What a shell offers for it, beside `choices`.
  package enum Paths: Sendable { case none, files, folders }

  package var paths: Paths {
    switch self {
    case .path, .music, .picture, .file: .files
    case .folder: .folders
    default: .none
    }
  }

  package var isPath: Bool { self == .path || self == .music }

  /// Only one of its choices is accepted; for a setting or a section, one that the program knows.
  package var isListed: Bool {
    switch self {
    case .preset, .list, .container, .encoding, .setting: true
    default: false
    }
  }

  package func accepts(_ argument: JSON) -> Bool {
    if isPath { return argument.path != nil }
    guard let text = argument.word else { return false }
    let number = Int64(text)
    switch self {
    case .count, .entry, .place, .question, .answer: return (number ?? 0) > 0
    case .number, .id, .entries, .behind: return number != nil
    case .chapter: return number.map { (1...Int64(Chapter.most)).contains($0) } ?? false
    case .steps: return number.map { (-1_000...1_000).contains($0) } ?? false
    case .volume: return VolumeTarget(text) != nil
    case .time: return SeekTarget(text) != nil
    case .duration: return SleepTimer.duration(text) != nil
    case .fade: return Joint.time(text) != nil
    case .decibels: return number.map { NormaliserMode.preamps.contains(Int(clamping: $0)) } ?? false
    case .preset: return choices.contains(text.lowercased())
    case .bands: return text.contains(":")
    case .list, .container, .encoding: return choices.contains(text)
    case .typed, .letter, .source: return true
    case .path, .music, .picture, .token, .playlist, .name, .password, .button, .disk, .words, .quality, .span, .file,
      .folder,
      .output, .setting, .verb:
      return !text.isEmpty
    }
  }
}

/// A volume that a person names: `40`, and with a sign so much louder or softer than it is.
package enum VolumeTarget: Equatable, Sendable {
  case to(Int)
  case by(Int)

  package init?(_ text: String) {
    guard text.utf8.count <= 4, let number = Int(text), (-100...100).contains(number) else { return nil }
    self = text.first == "+" || text.first == "-" ? .by(number) : .to(number)
  }

  func percent(from now: Int) -> Int {
    switch self {
    case .to(let percent): percent
    case .by(let steps): min(max(now + steps, 0), 100)
    }
  }
}

extension SleepTimer {
  /// As settings write it, and hours with minutes behind them: `1h30m`.
  static func duration(_ text: String) -> Duration? {
    let type = SettingType<Duration>.duration(.seconds(1)...longest)
    if let plain = type.parse(text) { return plain }
    let parts = text.split(separator: "h", maxSplits: 1)
    guard parts.count == 2, let hours = type.parse(parts[0] + "h"), let rest = type.parse(String(parts[1])),
      rest < .seconds(3_600), hours + rest <= longest
    else { return nil }
    return hours + rest
  }
}

extension Joint {
  /// The length of a crossfade as people write it: `5` or `5s`.
  static func time(_ text: String) -> Duration? {
    guard case .to(let time) = SeekTarget(text.hasSuffix("s") ? String(text.dropLast()) : text), time <= longest else {
      return nil
    }
    return time
  }
}
