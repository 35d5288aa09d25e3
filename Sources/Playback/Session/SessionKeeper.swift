import Runtime

/// Saves what the player does: all changes of the queue in their order, and the present place. One save runs at a time;
/// changes that come meanwhile go with the next one, so a fast knob does not overload the disk. It lives on the main
/// loop.
///
/// When saving fails (a full disk) the music goes on, a notice is posted once, and a later save stores everything.
@MainLoop
package final class SessionKeeper {
  package struct Snapshot: Sendable {
    package var queue: PlayQueue
    package var place: SavedPlace
    package var former: FormerQueue?
    /// How the place moves on by itself; nil while nothing plays.
    package var course: (@Sendable (SavedPlace) -> SavedPlace?)?

    package init(
      queue: PlayQueue, place: SavedPlace, former: FormerQueue? = nil,
      course: (@Sendable (SavedPlace) -> SavedPlace?)? = nil
    ) {
      self.queue = queue
      self.place = place
      self.former = former
      self.course = course
    }
  }

  private let store: SessionStore
  private let notices: NoticeBoard
  private let snapshot: @MainLoop () -> Snapshot
  private var changes: [Player.Change] = []
  /// Unsaved changes that a snapshot does not contain: history, bookmarks, origins. Limited, for a disk that stays
  /// full.
  private var owed: [Player.Change] = []
  private static let mostOwed = 1_000
  private var placeChanged = false
  private var owesEverything = false
  private var saving = false
  /// Why the last save failed; nil after a success.
  private(set) var fault: Fault?
  private var waiting = Waiters()
  /// How long after a failure saving is tried again.
  package static let triesAgainAfter: Duration = .seconds(10)
  private var isTryingAgain = false

  /// `fault`: why nothing could be saved at the start; a notice of it was posted.
  package init(
    _ store: SessionStore, since fault: Fault? = nil, notices: NoticeBoard,
    snapshot: @escaping @MainLoop () -> Snapshot
  ) {
    self.store = store
    self.notices = notices
    self.snapshot = snapshot
    self.fault = fault
    owesEverything = fault != nil
    if fault != nil { tryAgainLater() }
  }

  package func note(_ change: Player.Change) {
    changes.append(change)
    saveSoon()
  }

  package func notePlace() {
    placeChanged = true
    saveSoon()
  }

  /// Returns when everything noted so far is durable; throws the reason why the last save failed.
  package func settle() async throws(Fault) {
    while saving {
      let seen = waiting.changes
      await withCheckedContinuation { waiting.add($0, since: seen) }
    }
    if let fault { throw fault }
  }

  private var isDirty: Bool { !changes.isEmpty || placeChanged }

  private func saveSoon() {
    guard !saving else { return }
    saving = true
    MainLoop.start { await self.saveAll() }
  }

  private func saveAll() async {
    while isDirty {
      let now = snapshot()
      let changes = owesEverything ? Self.whole(now) + Self.beside(owed + self.changes) : self.changes
      self.changes = []
      placeChanged = false
      var queueUnsaved = !changes.isEmpty
      do throws(Fault) {
        // The queue goes first: a place is useless without its entry.
        if queueUnsaved {
          try await store.save(changes, of: now.queue, at: now.place)
          (queueUnsaved, owesEverything, owed) = (false, false, [])
        }
        try await store.savePlace(now.place, course: now.course.map { .init(now: $0, told: heardOfClock) })
        succeeded()
      } catch {
        if queueUnsaved { owed = Self.beside(changes).suffix(Self.mostOwed) }
        failed(error, queueUnsaved: queueUnsaved)
      }
    }
    saving = false
    waiting.wake()
  }

  private static func whole(_ now: Snapshot) -> [Player.Change] {
    let queue = now.queue
    let order = queue.isShuffled ? PlayQueue.Change.shuffled(queue.order.all) : .unshuffled
    return [.queue(.cleared), .queue(.appended(queue.entries)), .queue(order), .former(now.former)]
  }

  private static func beside(_ changes: [Player.Change]) -> [Player.Change] {
    changes.filter {
      switch $0 {
      case .queue, .former: false
      case .heard, .bookmark, .noBookmark, .origin: true
      }
    }
  }

  /// For the saves that the store makes by itself.
  nonisolated private var heardOfClock: @Sendable (Fault?) -> Void {
    { [weak self] fault in
      MainLoop.start {
        if let fault { self?.failed(fault, queueUnsaved: false) } else { self?.succeeded() }
      }
    }
  }

  private func succeeded() {
    if fault != nil { notices.post(Notice("P-131", "what plays is remembered again")) }
    fault = nil
  }

  private func failed(_ new: Fault, queueUnsaved: Bool) {
    owesEverything = owesEverything || queueUnsaved
    if fault == nil {
      Log("player").warning("not saved", ["reason": new.message])
      notices.post(.unsaved(new))
    }
    fault = new
    tryAgainLater()
  }

  /// Tries to save again every ten seconds, also while nothing changes (one long track on a disk that was full).
  private func tryAgainLater() {
    guard !isTryingAgain else { return }
    isTryingAgain = true
    MainLoop.start { [weak self] in
      while await MainLoop.loop.sleep(for: Self.triesAgainAfter), let self, self.fault != nil { self.notePlace() }
      self?.isTryingAgain = false
    }
  }
}

extension Notice {
  /// The notice that nothing can be saved: a plain sentence, since a person can do something about it. The log has the
  /// details.
  package static func unsaved(_ fault: Fault) -> Notice {
    switch fault.kind {
    case .full:
      Notice(
        fault.code,
        "The disk is full. The music goes on, but where it is will not be remembered until there is room again.",
        as: "disk full"
      ).asProblem
    case .denied:
      Notice(
        fault.code, "The disk cannot be written to. The music plays, but nothing will be remembered.",
        as: "disk read-only"
      ).asProblem
    default: Notice(fault, instead: "the music goes on, but where it is will not be remembered")
    }
  }
}
