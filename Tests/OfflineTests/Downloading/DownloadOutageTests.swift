import Runtime
import Testing

@testable import Offline

@Suite("Download, and what is not its own trouble")
struct DownloadOutageTests {
  @Test("a page on a line that is open is the server's own: nobody else is suspected, and nothing is used up")
  func ownPage() {
    for isLineProven in [false, true] {
      var it = Told()
      it.download.isLineProven = isLineProven
      it.hear(.start)
      it.hear(.failed(it.ticket, .portal))
      #expect(it.record.waits == (isLineProven ? .source : .portal))
      #expect(it.record.trouble == (isLineProven ? .source : .portal))
      it.hear(.lifted(isLineProven ? .source : .portal))
      let pages: [(Download.Ticket, MediaResponse) -> Download.Event] = [
        { .answered($0, $1) }, { ticket, _ in .failed(ticket, .portal) },
      ]
      for page in pages {
        it.hear(.start)
        it.hear(.resolved(it.ticket, .init()))
        it.hear(page(it.ticket, Told.answer(200, [("Content-Type", "text/html")])))
        #expect(it.record.waits == (isLineProven ? .server : .portal))
        #expect(it.record.trouble == (isLineProven ? .page : .portal) && it.record.retry == Retry())
        it.hear(.again)
      }
    }
  }

  @Test(
    "a server that is gone is waited for after three attempts, with one attempt when that is over, and three by hand")
  func outage() {
    var it = Told()
    for _ in 1..<Retry.limit {
      it.hear(.start)
      it.hear(.failed(it.ticket, .network(.refused)))
      #expect(it.record.state == .retrying)
      it.hear(.due(it.ticket))
    }
    for _ in 0..<3 {
      it.hear(.start)
      it.hear(.failed(it.ticket, .network(.refused)))
      #expect(it.record.state == .queued && it.record.waits == .server && it.record.trouble == .network(.refused))
      #expect(it.last.last == .tell(.waits(it.download.key, .server)) && it.isStoredFirst)
      it.hear(.lifted(.server))
      #expect(it.record.isReady)
    }
    it.hear(.start)
    it.hear(.failed(it.ticket, .network(.refused)))
    it.hear(.again)
    #expect(it.record.isReady && it.record.retry == Retry())
  }

  @Test(
    "what an older program gave up for a server's sake waits for it after the next start, and what was its own stays")
  func givenUpBefore() {
    for (trouble, waits) in [(Trouble.network(.noName), WaitReason?.some(.server)), (.wrongHash, nil)] {
      var record = DownloadRecord(MediaKey(source: "shop", item: "song", quality: .high))
      (record.state, record.trouble, record.endedAt) = (.failed, trouble, 3)
      let (download, actions) = Download.restored(record, .init(), date: 7)
      #expect(download.record.waits == waits && download.state == (waits == nil ? .failed : .queued))
      #expect(actions.isEmpty == (waits == nil))
    }
  }
}
