import Application
import Audio
import Panel
import Runtime
import TestSupport
import Testing

@testable import Playback
@testable import layby

@Suite("What plays, made of real parts")
struct SoundAssemblyTests {
  /// What is seen of the sound after one step each.
  private struct Seen: Equatable, Sendable {
    var loudest: [Int] = []
    var crossfades: [Duration] = []
    var isFlat: [Bool] = []
    var notices: [String] = []
    var isMeasured: [Bool] = []
  }

  private enum Step: Sendable {
    case choose(SettingName, String)
    case `try`(SettingName, String)
  }

  private static let crossfade = Setting<Duration>.crossfade.name
  private static let equaliser = Setting<String>.equaliser.name

  @MainLoop
  private static func record(
    _ sound: SoundAssembly, _ chosen: ChosenSettings, _ storage: Storage, _ seen: inout Seen
  ) async {
    // The limit is passed on by a task, which may wait for the disk.
    for _ in 0..<50 where sound.transport.status.loudest != chosen.settings.loudest {
      await storage.loop.perform {}
      await Task.yield()
    }
    seen.loudest.append(sound.transport.status.loudest)
    seen.crossfades.append(sound.transport.sounding.crossfade)
    seen.isFlat.append(sound.transport.sounding.equaliser == .flat)
    sound.libraryOpened()
    seen.isMeasured.append(sound.loudness.isWanted)
  }

  /// Opens the state folder, makes the sound, does the steps and stops cleanly. Nothing is heard: the output is none.
  private func live(in folder: FilePath, _ file: String, _ steps: [Step] = []) async throws -> Seen {
    let owned = try SettingsTable.all.read(board: [], owner: .success(Array(file.utf8)), lastGood: { _ in nil })
      .settings
    let state = folder / "state"
    let options = try RunOptions([
      "--board", "\(folder)/board.conf", "--state", "\(state)", "--run", "\(folder)/run",
    ])
    let outset = StartupDiagnosis(owned, options)
    let result = await TestMainLoop.alone {
      await onMainLoop { () -> Result<Seen, Fault> in
        do throws(Fault) {
          let notices = NoticeBoard()
          let storage = try await Storage(state, notices)
          let chosen = ChosenSettings(owned, OwnersChoices.load(from: state), owned: owned, isSafe: false)
          let keeping = Keeping()
          let streaming = StreamAssembly(keeping, storage, kept: state / "kept", notices)
          let sound = try SoundAssembly(
            .null, chosen, storage, outset, keeping, finder: streaming.streams, keys: nil, library: streaming, notices)
          streaming.connect(sound, hasSources: false)
          var seen = Seen()
          await Self.record(sound, chosen, storage, &seen)
          for step in steps {
            switch step {
            case .choose(let name, let text): try await chosen.choose(name, text, in: storage)
            case .try(let name, let text): sound.sound(as: name, text)
            }
            await Self.record(sound, chosen, storage, &seen)
          }
          seen.notices = notices.posted.map { $0.notice.code }
          try await storage.close()
          return .success(seen)
        } catch { return .failure(error) }
      }
    }
    return try result.get()
  }

  @Test("what is chosen of the sound is heard at once, and is there after the next start")
  func chosen() async throws {
    let folder = TempFolder()
    let steps: [Step] = [
      .choose(Self.crossfade, "4s"), .choose(Self.equaliser, "bass"), .choose(Setting<Int>.maxVolume.name, "40"),
      .choose(Setting<NormaliserMode>.normaliser.name, "track"),
    ]
    let seen = try await live(in: folder.path, "", steps)
    #expect(seen.crossfades == [.zero] + Array(repeating: .seconds(4), count: 4))
    #expect(seen.isFlat == [true, true, false, false, false])
    #expect(seen.loudest == [100, 100, 100, 40, 40])
    #expect(seen.isMeasured == [false, false, false, false, true])
    #expect(seen.notices == [])
    let next = try await live(in: folder.path, "")
    #expect(next.crossfades == [.seconds(4)] && next.isFlat == [false] && next.loudest == [40])
  }

  @Test("what a visitor tries is heard, and not kept; other settings are none of the sound's")
  func tried() async throws {
    let folder = TempFolder()
    let steps: [Step] = [.try(Self.equaliser, "bass"), .try(Setting<PanelColours>.colours.name, "day")]
    let seen = try await live(in: folder.path, "", steps)
    #expect(seen.isFlat == [true, false, false] && seen.loudest == [100, 100, 100])
    #expect(try await live(in: folder.path, "").isFlat == [true])
  }
}
