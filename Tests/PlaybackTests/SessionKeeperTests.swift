import Runtime
import TestSupport
import Testing

@testable import Playback

/// A player's state, and a keeper that saves it.
@MainLoop
private final class Kept {
  var queue = PlayQueue()
  var place = SavedPlace()
  var former: FormerQueue?
  let notices = NoticeBoard()
  private(set) var keeper: SessionKeeper?

  init(_ store: SessionStore) {
    keeper = SessionKeeper(store, notices: notices) { [unowned self] in
      .init(queue: queue, place: place, former: former)
    }
  }

  func add(_ names: String...) { keeper?.note(.queue(.appended(queue.append(names.map { FilePath($0) })))) }

  func settle() async -> Fault? {
    do throws(Fault) { try await keeper?.settle() } catch { return error }
    return nil
  }

  var codes: [String] { notices.posted.map(\.notice.code) }
}

@Suite("Session keeper")
struct SessionKeeperTests {
  @Test("a thousand places cost few saves, and the last one is there")
  func coalesces() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    await TestMainLoop.alone {
      let fault = await onMainLoop {
        let kept = Kept(work.store)
        for frame in Int64(1)...1_000 {
          kept.place.frame = frame
          kept.keeper?.notePlace()
        }
        return await kept.settle()
      }
      #expect(fault == nil)
    }
    let slot = try #require(work.newestSlot)
    #expect(slot.place.frame == 1_000 && slot.sequence <= 2)
  }

  @Test("what is noted while a save is under way goes with the next")
  func meanwhile() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    let entries = await TestMainLoop.alone {
      await onMainLoop {
        let kept = Kept(work.store)
        for number in 0..<50 {
          kept.add("/\(number)")
          // Lets the save begin.
          await MainLoop.start {}.value
        }
        _ = await kept.settle()
        return kept.queue.entries
      }
    }
    #expect(try await work.reopen().queue.entries == entries)
  }

  @Test("while saving fails it is told once; when it works again everything is saved, and that is told once")
  func failing() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    try work.meddle("CREATE TRIGGER full BEFORE INSERT ON queue_entry BEGIN SELECT RAISE(ABORT, 'disk'); END")
    let (codes, entries) = await TestMainLoop.alone { () -> ([[String]], [PlayQueue.Entry]) in
      let kept = await onMainLoop { Kept(work.store) }
      var codes: [[String]] = []
      for turn in 0..<5 {
        if turn == 3 { try? work.meddle("DROP TRIGGER full") }
        codes.append(
          await onMainLoop {
            kept.add("/\(turn)a", "/\(turn)b")
            let fault = await kept.settle()
            return [fault == nil ? "saved" : "failed"] + kept.codes
          })
      }
      return (codes, await onMainLoop { kept.queue.entries })
    }
    #expect(codes.map(\.first) == ["failed", "failed", "failed", "saved", "saved"])
    #expect(codes[2].count == 2, "one notice: \(codes[2])")
    #expect(codes[4].count == 3 && codes[4].last == "P-131")
    #expect(entries.count == 10)
    #expect(try await work.reopen().queue.entries == entries)
  }

  @Test("of former queues that cannot be saved the last is owed, and where music was chosen all of it")
  func owesFormer() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    await work.store.close()
    let kept = await TestMainLoop.alone { () -> Kept in
      await onMainLoop {
        let kept = Kept(work.store)
        for number in UInt64(1)...3 {
          kept.former = FormerQueue([FilePath("/\(number)")], index: 0)
          kept.keeper?.note(.former(kept.former))
          kept.add("/a\(number)")
          kept.keeper?.note(.origin(Origin(.album, "\(number)"), of: 1, from: EntryID(number: number)))
          #expect(await kept.settle()?.code == "P-120")
        }
        return kept
      }
    }
    _ = try await work.open()
    await TestMainLoop.alone {
      await onMainLoop {
        kept.keeper?.notePlace()
        #expect(await kept.settle() == nil)
      }
    }
    #expect(try await work.reopen().former?.files == [FilePath("/3")])
    let names = try await work.store.lend { connection throws(Fault) in
      try connection.rows("SELECT name FROM queue_origin ORDER BY first") { $0.text(0) }
    }
    #expect(names == ["1", "2", "3"])
  }

  @Test("a place alone that can be saved again brings the queue with it that could not")
  func owes() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    await work.store.close()
    let kept = await TestMainLoop.alone { () -> Kept in
      let kept = await onMainLoop { () -> Kept in
        let kept = Kept(work.store)
        kept.add("/a", "/b")
        #expect(await kept.settle()?.code == "P-120")
        return kept
      }
      return kept
    }
    _ = try await work.open()
    await TestMainLoop.alone {
      await onMainLoop {
        kept.keeper?.notePlace()
        #expect(await kept.settle() == nil)
      }
    }
    #expect(try await work.reopen().queue.entries.map(\.path) == [FilePath("/a"), FilePath("/b")])
  }
}
