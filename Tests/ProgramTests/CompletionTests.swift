import Glibc
import Remote
import Runtime
import TestSupport
import Testing

@testable import layby

extension ProgramTests {
  /// What bash offers for words of a command line, the last of which is being typed.
  @Suite("Completion in bash", .serialized, .enabled(if: ChildProcess.find("bash") != nil, "there is no bash here"))
  struct CompletionTests {
    let home: Home

    init() throws { home = try Home() }

    private func offered(for lines: [[String]]) async throws -> [[String]] {
      let printed = try await Finished([Built.layby, "manual", "completion"], in: home)
      try #require(printed.code == EX_OK, "\(printed)")
      let folder = home.folder / "here"
      try Folder.make(folder / "music folder")
      for name in ["music.flac", "board.conf"] { try home.write("", to: folder / name) }
      let script = home.folder / "completion"
      try home.write(printed.output, to: script)
      let cases = lines.map { words in
        let quoted = (["layby"] + words).map { "'\($0)'" }.joined(separator: " ")
        return "COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count); _layby; printf '%s\\n' \"${COMPREPLY[@]}\" =end="
      }
      let all = "set -u; source '\(script)'; cd '\(folder)'\n" + cases.joined(separator: "\n")
      let asked = try await Finished(["bash", "--norc", "--noprofile", "-c", all], in: home)
      try #require(asked.code == 0 && asked.errors.isEmpty, "\(asked)")
      let answers = asked.output.split(separator: "\n", omittingEmptySubsequences: false).split(
        separator: "=end=", omittingEmptySubsequences: false)
      try #require(answers.count >= lines.count)
      return answers.prefix(lines.count).map { $0.filter { !$0.isEmpty }.map(String.init).sorted() }
    }

    @Test("verbs, their words, options, settings, and paths where there can be one")
    func table() async throws {
      let files = ["board.conf", "music folder", "music.flac"]
      let rows: [([String], [String])] = [
        (["pla"], ["play", "playlist", "playnext"]), (["xyz"], []), (["queue", "ad"], ["add"]),
        (["queue", ""], ["add", "clear", "fill", "jump", "list", "next", "play", "remove", "undo"]),
        (["queue", "add", ""], files), (["queue", "add", "music.flac", "mu"], ["music folder", "music.flac"]),
        (["queue", "fill", "albu"], ["album", "albums"]), (["queue", "list", ""], []),
        (["browse", "albums", ""], ["after"]), (["browse", "nonsense", ""], []), (["queue", "nonsense", ""], []),
        (["play", ""], []), (["repeat", ""], ["all", "off", "one"]),
        (["normaliser", ""], ["album", "automatic", "off", "track"]), (["normaliser", "track", ""], []),
        (["sleep", "t"], ["track"]), (["sleep", "c"], ["chapter"]), (["equaliser", "fl"], ["flat"]),
        (["equaliser", "60:+3", ""], []),
        (["playlist", "offline", "My road", ""], ["off", "on"]), (["offline", "check", ""], ["status", "stop"]),
        (["offline", "want", "alb"], ["album", "albums"]), (["offline", "want", "nothing", ""], []),
        (["offline", "want", "album", "Blue", ""], ["anyway", "at", "from"]),
        (["offline", "want", "album", "Blue", "Train", "f"], ["from"]),
        (["offline", "want", "album", "Blue", "at", "l"], ["lossless", "low"]),
        (["offline", "want", "album", "Blue", "from", "home", "at", "lo"], ["lossless", "low"]),
        (["press", "turn", "2", "with", "kn"], ["knob"]), (["press", "long", "ho"], ["home"]),
        (["import", ""], files + ["stop"]), (["screen", "mu"], ["music folder", "music.flac"]),
        (["status", "--js"], ["--json"]), (["queue", "--c"], ["--count"]), (["queue", "--from", "2", "cl"], ["clear"]),
        (["status", "--run", ""], ["music folder"]), (["status", "--run", "=", "mu"], ["music folder"]),
        (["--run", "here", "stat"], ["status"]), (["--wa"], ["--wait"]),
        (["run", "--board", "b"], ["board.conf"]), (["run", "--play", "music.flac", ""], files),
        (["run", "--play", "music.flac", "--o"], ["--once", "--output", "--owner"]),
        (["run", "--output", "nu"], ["null"]), (["run", ""], []), (["index", ""], ["music folder"]),
        (["config", "sound.max"], ["sound.max_volume"]), (["config", "source.u"], ["source.url"]),
        (["config", "sound", "kiosk.pi"], ["kiosk.pin"]), (["manual", ""], ["completion", "man", "settings"]),
        (["help", "vol"], ["volume"]), (["help", "docto"], ["doctor"]), (["help", "al"], ["all"]),
      ]
      let answers = try await offered(for: rows.map(\.0))
      for (row, answer) in zip(rows, answers) { #expect(answer == row.1.sorted(), "\(row.0)") }
    }

    @Test("every verb with all of its options, and every setting")
    func complete() async throws {
      let answers = try await offered(for: [[""], ["config", ""]] + Verb.all.map { [$0.name, "--"] })
      #expect(Set(answers[0]).isSuperset(of: Verb.all.map(\.name) + ["run", "doctor", "config", "index", "manual"]))
      #expect(!answers[0].contains("stick-policy"))
      #expect(Set(answers[1]) == Set(SettingsTable.all.words))
      for (verb, answer) in zip(Verb.all, answers.dropFirst(2)) {
        #expect(answer == (verb.allOptions.map(\.name) + ["--help"]).sorted(), "\(verb.name)")
      }
    }
  }
}
