import Application
import Offline
import Panel
import Runtime
import TestSupport
import Testing

@testable import layby

@Suite("What people are told of downloads")
struct OfflineNewsTests {
  private static func failed(_ item: String, _ trouble: Trouble = .notMusic) -> OfflineEvent {
    .download(.failed(MediaKey(source: "kitchen", item: item, quality: .high), trouble))
  }

  @Test("songs that fail one after the other for one reason are one notice that counts, and is shown once")
  func together() async {
    await aloneOnMainLoop { () async in
      let board = NoticeBoard()
      let news = OfflineNews(board, nil, Keeping())
      news.tell(Self.failed("Elsewhere/01 Distant Delta.mp3"))
      #expect(
        board.told.map(\.notice.message) == [
          "01 Distant Delta of kitchen could not be fetched: what the server sent is no music"
        ])
      for number in 2...8 { news.tell(Self.failed("Elsewhere/0\(number) Song.mp3")) }
      // The same once more is not one more.
      news.tell(Self.failed("Elsewhere/08 Song.mp3"))
      let all = "01 Distant Delta and 7 more of kitchen could not be fetched: what the server sent is no music"
      #expect(board.told.map(\.notice.message) == [all] && board.told.map(\.times) == [1])
      let now = MainLoop.loop.now
      #expect(board.current(at: now)?.notice.message == all)
      #expect(board.current(at: now + .seconds(11)) == nil)
      #expect(
        board.told.first.map { PanelWords.german.said($0.notice) }
          == "01 Distant Delta und 7 weitere von kitchen kamen nicht: was der Server schickt, ist keine Musik.")
      // Another reason is news.
      news.tell(Self.failed("Elsewhere/09 Song.mp3", .notThere))
      #expect(board.told.count == 2)
    }
  }
}
