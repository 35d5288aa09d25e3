import Runtime
import TestSupport
import Testing

@testable import Playback

/// The queue as anybody would write it: two arrays, searched from one end to the other. Where chance decides it takes
/// what was decided, after holding it against what may be.
private struct Model {
  var base: [EntryID] = []
  var played: [EntryID]?
  var shown: [EntryID] { played ?? base }

  mutating func remove(_ id: EntryID) {
    base.removeAll { $0 == id }
    played?.removeAll { $0 == id }
  }

  mutating func put(_ id: EntryID, behind other: EntryID?) {
    guard var order = played else { return }
    order.removeAll { $0 == id }
    let place = other.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    order.insert(id, at: place)
    played = order
  }
}

@Suite("Queue on a random walk")
struct QueueWalkTests {
  @Test("ten thousand commands do to it what they do to two arrays", arguments: UInt64(1)...6)
  func walk(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var queue = PlayQueue(seed: seed)
    var model = Model()
    var current: EntryID?
    var used: Set<EntryID> = []
    /// What was taken out last, with the order that it was taken out of.
    var gone: (removed: RemovedEntry, from: Model, isUnchanged: Bool)?
    var cameBack = 0
    /// As the store would have it.
    var saved = Model()
    for step in 0..<10_000 {
      let any = model.shown.randomElement(using: &random)
      let paths = (0..<Int.random(in: 1...3, using: &random)).map { FilePath("/\($0)") }
      var changes: [PlayQueue.Change] = []
      let before = model
      switch Int.random(in: 0..<17, using: &random) {
      case 16:
        guard let back = gone else { continue }
        let order = model.shown
        changes = queue.putBack(back.removed, behind: current)
        let id = back.removed.entry.id
        model.base.insert(id, at: min(back.removed.place, model.base.count))
        if model.played != nil {
          model.played = queue.order.all
          #expect(queue.order.all.filter { $0 != id } == order, "seed \(seed), step \(step)")
        }
        // Nothing has happened since: all is as if it had never been taken out.
        if back.isUnchanged, back.removed.turn.map({ $0.round == queue.round }) ?? true {
          #expect(model.base == back.from.base && model.shown == back.from.shown, "seed \(seed), step \(step)")
          cameBack += 1
        }
        gone = nil
      case 0...2:
        let before = model.shown
        let (made, told) = queue.add(paths, behind: current)
        changes = told
        for entry in made { #expect(used.insert(entry.id).inserted, "seed \(seed), step \(step): an id again") }
        model.base += made.map(\.id)
        if model.played != nil {
          let now = queue.order.all
          let new = Set(made.map(\.id))
          #expect(now.filter { !new.contains($0) } == before, "seed \(seed), step \(step)")
          let start = current.flatMap { now.firstIndex(of: $0) } ?? -1
          #expect(now[...max(start, 0)].allSatisfy { start < 0 || !new.contains($0) }, "seed \(seed), step \(step)")
          model.played = now
        }
      case 3:
        let (made, told) = queue.playNext(paths, behind: current)
        changes = told
        for entry in made { #expect(used.insert(entry.id).inserted) }
        let place = current.flatMap { model.base.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        model.base.insert(contentsOf: made.map(\.id), at: place)
        if var order = model.played {
          let place = current.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
          order.insert(contentsOf: made.map(\.id), at: place)
          model.played = order
        }
      case 4...5:
        guard let any, any != current || model.base.count == 1 else { continue }
        gone = queue.remove(any).map { ($0, model, true) }
        model.remove(any)
        changes = [.removed(any)]
        if any == current { current = nil }
      case 6...8:
        guard let any else { continue }
        let place = Int.random(in: -2...model.base.count + 2, using: &random)
        changes = queue.move(any, to: place)
        var order = model.shown
        order.removeAll { $0 == any }
        order.insert(any, at: min(max(place, 0), order.count))
        if model.played != nil { model.played = order } else { model.base = order }
      case 9:
        let before = model
        let since = before.base.randomElement(using: &random)
        changes = queue.shuffle(at: current, playedSince: since)
        if model.played == nil {
          let order = queue.order.all
          #expect(order.count == before.base.count && Set(order) == Set(before.base), "seed \(seed), step \(step)")
          let at = current.flatMap { before.base.firstIndex(of: $0) }
          if let at, let from = since.flatMap({ before.base.firstIndex(of: $0) }) {
            let settled = from <= at ? Array(before.base[from...at]) : [before.base[at]]
            #expect(Array(order.prefix(settled.count)) == settled, "seed \(seed), step \(step)")
          }
          model.played = order
        }
      case 10:
        changes = queue.unshuffle()
        model.played = nil
      case 11:
        guard let any else { continue }
        changes = queue.bringForward(any, to: current, wasHeard: true)
        if let current, any != current { model.put(any, behind: current) }
        current = any
      case 12:
        guard let any else { continue }
        changes = queue.bringBack(any, before: current)
        if let order = model.played, let current, let here = order.firstIndex(of: current),
          let there = order.firstIndex(of: any), there > here
        {
          model.put(any, behind: here == 0 ? nil : order[here - 1])
        }
        current = any
      case 13 where Int.random(in: 0..<20, using: &random) == 0:
        queue.removeAll()
        changes = [.cleared]
        model = Model(base: [], played: model.played == nil ? nil : [])
        (current, gone) = (nil, nil)
      default:
        // Played on, through the seam too.
        queue.repeats = PlayQueue.Repeat.allCases.randomElement(using: &random) ?? .off
        guard let here = current ?? model.shown.first else { continue }
        let expected = queue.successor(of: here)
        guard let next = queue.successor(of: queue.turn(of: here)) else {
          #expect(expected == nil && here == model.shown.last, "seed \(seed), step \(step)")
          continue
        }
        #expect(next.id == expected?.id, "seed \(seed), step \(step)")
        changes = queue.enter(next)
        if queue.repeats == .one {
          #expect(next.id == here)
        } else if let place = model.shown.firstIndex(of: here), place + 1 < model.shown.count {
          #expect(next.id == model.shown[place + 1] && changes.isEmpty, "seed \(seed), step \(step)")
        } else if model.played != nil {
          let order = queue.order.all
          #expect(Set(order) == Set(model.base) && order.first == next.id, "seed \(seed), step \(step)")
          #expect(order.count == 1 || next.id != here, "seed \(seed), step \(step): twice at the seam")
          model.played = order
        }
        current = next.id
      }
      if let last = gone, model.base != before.base || model.played != before.played {
        gone?.isUnchanged = last.isUnchanged && last.from.base == before.base && last.from.played == before.played
      }
      replay(changes, into: &saved)
      #expect(queue.base.all == model.base, "seed \(seed), step \(step)")
      #expect(queue.order.all == model.shown && queue.isShuffled == (model.played != nil), "seed \(seed), step \(step)")
      #expect(saved.base == model.base && saved.played == model.played, "seed \(seed), step \(step): saved otherwise")
      if saved.base != model.base || saved.played != model.played || queue.order.all != model.shown { return }
    }
    #expect(cameBack > 20, "\(cameBack)")
  }

  /// What a store that does as it is told would have.
  private func replay(_ changes: [PlayQueue.Change], into saved: inout Model) {
    for change in changes {
      switch change {
      case .appended(let entries): saved.base += entries.map(\.id)
      case .inserted(let entries, let before):
        let place = before.flatMap { saved.base.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        saved.base.insert(contentsOf: entries.map(\.id), at: place)
      case .moved(let id, let before):
        saved.base.removeAll { $0 == id }
        let place = before.flatMap { saved.base.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        saved.base.insert(id, at: place)
      case .removed(let id): saved.remove(id)
      case .cleared: saved = Model(base: [], played: saved.played == nil ? nil : [])
      case .shuffled(let ids): saved.played = ids
      case .placed(let id, let before): saved.put(id, behind: before)
      case .unshuffled: saved.played = nil
      case .readdressed: break
      }
    }
  }
}
