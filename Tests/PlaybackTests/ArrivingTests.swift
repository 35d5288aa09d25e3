import Runtime
import TestSupport
import Testing

@testable import Playback

@Suite("Music that has just come")
struct ArrivingTests {
  private func onStage(
    _ saved: SavedSession, store: SessionStore? = nil, _ body: @escaping @MainLoop @Sendable (Stage) async -> Void
  ) async throws {
    try await TestMainLoop.alone {
      let stage = try #require(await onMainLoop { try? Stage(saved, store: store) })
      await onMainLoop {
        await stage.start()
        await body(stage)
        stage.stop()
      }
      await until("the end") { stage.isOver }
    }
  }

  private static let stick = ["/stick/1", "/stick/2"].map { FilePath($0) }
  private static let atOnce = Player.Command.playAtOnce(stick)

  @Test("it stands behind all that is in the queue, which stays, and plays at once", arguments: [false, true])
  func atOnce(isShuffled: Bool) async throws {
    try await onStage(.tracks(3)) { stage in
      await stage.perform(.shuffle(isShuffled))
      await stage.perform(.play)
      stage.sound.hear(1)
      await stage.perform(Self.atOnce)
      #expect(stage.transport.status.entry?.path == Self.stick[0] && stage.transport.status.wish == .playing)
      #expect(stage.transport.queue.base.all == (1...5).map { EntryID(number: $0) })
      await stage.perform(.previous)
      #expect(stage.transport.status.entry?.id == EntryID(number: 1))
    }
  }

  @Test("a full queue takes nothing, tells so, and plays on")
  func full() async throws {
    try await onStage(.tracks(PlayQueue.limit)) { stage in
      await stage.perform(.play)
      await stage.perform(Self.atOnce)
      #expect(stage.transport.status.entry?.id == EntryID(number: 1) && stage.transport.status.wish == .playing)
      #expect(stage.notices.posted.map(\.notice.code) == ["P-103"])
    }
  }

  @Test("what cannot be saved plays all the same, and that is told")
  func unsaved() async throws {
    let work = try StoreAtWork()
    let saved = try await work.open()
    await work.store.close()
    try await onStage(saved, store: work.store) { stage in
      do throws(Fault) {
        try await stage.transport.perform(Self.atOnce)
        Issue.record("it says that it is saved")
      } catch { #expect(error.code == "P-120") }
      #expect(stage.transport.status.entry?.path == Self.stick[0] && stage.transport.status.wish == .playing)
    }
  }
}
