import Panel
import Playback
import Runtime
import TestSupport
import Testing

@testable import layby

@Suite("The settings that count")
struct ChosenSettingsTests {
  /// What a start knows, and what a follower was told.
  private struct Seen: Equatable, Sendable {
    var colours = ""
    var resume = ""
    var waiting: [String] = []
    var told: [String] = []
    var codes: [String] = []
  }

  private static let colours = Setting<PanelColours>.colours.name
  private static let resume = Setting<Bool>.resume.name
  private static let profile = Setting<PanelProfile>.profile.name

  /// A start with these lines in the owner's file, choices made one after the other, and a clean stop.
  private func live(
    in state: FilePath, _ file: String = "", isSafe: Bool = false, choosing wanted: [(SettingName, String)] = []
  ) async throws -> Seen {
    let owned = try SettingsTable.all.read(board: [], owner: .success(Array(file.utf8)), lastGood: { _ in nil })
      .settings
    let result = await TestMainLoop.alone {
      await onMainLoop { () -> Result<Seen, Fault> in
        do throws(Fault) {
          let storage = try await Storage(state, NoticeBoard())
          let chosen = ChosenSettings(owned, OwnersChoices.load(from: state), owned: owned, isSafe: isSafe)
          var seen = Seen()
          let told = Told()
          chosen.follow { told.lines.append("\($0) \(chosen.settings[.colours])") }
          for (name, text) in wanted {
            do throws(Fault) { try await chosen.choose(name, text, in: storage) } catch {
              seen.codes.append(error.code)
            }
          }
          seen.colours = "\(chosen.settings[.colours])"
          seen.resume = "\(chosen.settings[.resume])"
          seen.waiting = chosen.waiting.map(\.description)
          seen.told = told.lines
          try await storage.close()
          return .success(seen)
        } catch { return .failure(error) }
      }
    }
    return try result.get()
  }

  @MainLoop
  private final class Told { var lines: [String] = [] }

  @Test("a choice that counts at once is told with its new value, and the next start knows it")
  func atOnce() async throws {
    let folder = TempFolder()
    let before = try await live(in: folder.path)
    #expect(before.colours == "night")
    let seen = try await live(in: folder.path, choosing: [(Self.colours, "day")])
    #expect(seen.told == ["\(Self.colours) day"] && seen.waiting == [] && seen.codes == [])
    #expect(try await live(in: folder.path).colours == "day")
    // In safe mode it does not count.
    #expect(try await live(in: folder.path, isSafe: true).colours == "night")
  }

  @Test("another choice waits for the next start, and nobody is told")
  func waits() async throws {
    let folder = TempFolder()
    let seen = try await live(in: folder.path, choosing: [(Self.resume, "no")])
    #expect(seen.waiting == ["\(Self.resume)"] && seen.told == [])
    let next = try await live(in: folder.path)
    #expect(next.waiting == [] && next.resume == "false")
  }

  @Test("what cannot be chosen is refused and changes nothing: no such value, and a kiosk that has no PIN")
  func refused() async throws {
    let folder = TempFolder()
    let before = try await live(in: folder.path)
    var seen = try await live(in: folder.path, choosing: [(Self.colours, "loud"), (Self.profile, "kiosk")])
    #expect(seen.codes == ["C-127", "C-128"])
    seen.codes = []
    #expect(seen == before)
    #expect(throws: Fault.self) { try AtomicFile.read(OwnersChoices.path(in: folder.path), limit: 10) }
  }

  @Test("a value that is tried is neither kept nor told")
  func tried() async throws {
    let read = try SettingsTable.all.read(board: [], owner: .success([]), lastGood: { _ in nil }).settings
    let isAsExpected = await TestMainLoop.alone {
      await onMainLoop {
        let chosen = ChosenSettings(read, Choices(in: .all), owned: read, isSafe: false)
        let name = Setting<String>.equaliser.name
        let tried = chosen.trying(name, "bass")
        return tried?[.equaliser] == "bass" && chosen.settings[.equaliser] == read[.equaliser]
          && chosen.trying(Self.colours, "loud") == nil && chosen.waiting.isEmpty
      }
    }
    #expect(isAsExpected)
  }

  @Test("every setting that counts at once can be chosen")
  func table() {
    let atOnce = SettingsTable.all.entries.filter(\.appliesAtOnce)
    #expect(!atOnce.isEmpty)
    #expect(atOnce.filter { SettingsTable.all.choosable($0.name) == nil }.map(\.name.description) == [])
  }
}
