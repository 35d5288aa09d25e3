import Library
import Playback
import Runtime
import Store
import TestSupport
import Testing

@testable import layby

@Suite("What is kept on the disk")
struct StorageTests {
  private struct Life: Equatable, Sendable {
    var afterUncleanStop = false
    /// What a look at both databases met.
    var met: [Fault.Kind] = []
    var told = 0
  }

  /// A start, a look at what both databases hold, and a clean stop.
  @MainLoop
  private static func begin(in state: FilePath) async throws(Fault) -> Life {
    let notices = NoticeBoard()
    let storage = try await Storage(state, notices)
    await withCheckedContinuation { (opened: CheckedContinuation<Void, Never>) in
      storage.openLibrary { opened.resume() }
    }
    var life = Life(afterUncleanStop: storage.afterUncleanStop)
    do throws(Fault) { _ = try await storage.session?.playlists() } catch { life.met.append(error.kind) }
    do throws(Fault) { _ = try await storage.catalogue?.sources() } catch { life.met.append(error.kind) }
    try await storage.close()
    life.told = notices.posted.count
    return life
  }

  private func live(in state: FilePath) async throws -> Life {
    let result = await TestMainLoop.alone {
      await onMainLoop { () -> Result<Life, Fault> in
        do throws(Fault) { return .success(try await Self.begin(in: state)) } catch { return .failure(error) }
      }
    }
    return try result.get()
  }

  @Test(
    "damage that was met while it ran is looked for by the next start and set aside, however clean the stop was",
    arguments: [("state.db", "playlist"), ("library.db", "source")])
  func damaged(file: String, table: String) async throws {
    let folder = TempFolder()
    let fine = Life()
    for _ in 0..<2 { #expect(try await live(in: folder.path) == fine) }
    try breakTable(table, in: folder.path / file)
    // The last stop was clean, so nobody looks; and then somebody asks for just that.
    #expect(try await live(in: folder.path) == Life(met: [.damaged]))
    #expect(try await live(in: folder.path) == Life(afterUncleanStop: true, told: 1))
    let names = try Folder.names(in: folder.path).map(\.description)
    #expect(names.contains { $0.hasPrefix("\(file).damaged-") })
    #expect(try await live(in: folder.path) == fine)
  }

  @Test("what was learned a moment before the end is known afterwards")
  func lastMoment() async throws {
    let folder = TempFolder()
    let path = folder.path / "a.flac"
    try AtomicFile.replace(path, with: [1, 2, 3])
    let state = folder.path / "state"
    let titles = await TestMainLoop.alone {
      await onMainLoop { () -> Result<[String?], Fault> in
        do throws(Fault) {
          var titles: [String?] = []
          for _ in 0..<2 {
            let storage = try await Storage(state, NoticeBoard())
            await withCheckedContinuation { (opened: CheckedContinuation<Void, Never>) in
              storage.openLibrary { opened.resume() }
            }
            titles.append(await storage.lookUp(path)?.title)
            storage.errands.start {
              for _ in 0..<20 { await Task.yield() }
              await storage.loop.perform {}
              var track = Track(named: path)
              track.title = "In the last moment"
              storage.learn(path, track)
            }
            try await storage.close()
          }
          return .success(titles)
        } catch { return .failure(error) }
      }
    }
    #expect(try titles.get() == [nil, "In the last moment"])
  }
}
