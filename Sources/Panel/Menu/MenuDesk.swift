import Playback
import Runtime

/// The menu at work: takes what hands mean, looks up what it asks for one after the other, has done what is wished, and
/// says when there is something else to be drawn. Who leaves it alone for a while finds the music on the panel again.
@Deck
package final class MenuDesk {
  private var menu = Menu()
  private let shelf: MenuShelf
  private let house: any MenuHouse
  private let words: PanelWords
  private let tell: @Deck (Fault) -> Void
  private var asks: [(ask: Menu.Ask, number: Int)] = []
  private var finding: Task<Void, Never>?
  private var wishes: [Wish] = []
  private var fulfilling: Task<Void, Never>?
  private var leaving: Task<Void, Never>?
  private var lastTouch = Moment(nanoseconds: 0)
  /// What is shown has changed.
  package var changed: @Deck () -> Void = {}

  /// Nobody looks at it any more.
  nonisolated package static let patience: Duration = .seconds(60)
  /// What changes by itself is looked at so often.
  nonisolated static let liveEvery: Duration = .seconds(1)

  package init(
    _ house: any MenuHouse, words: PanelWords = .english, status: @escaping @Deck () -> PlayerStatus,
    posted: @escaping @Deck () -> [(notice: Notice, stands: Bool)], tell: @escaping @Deck (Fault) -> Void
  ) {
    self.house = house
    self.words = words
    self.tell = tell
    shelf = MenuShelf(
      house, words,
      standing: { [unowned house] in
        MenuPages.Standing(
          status: status(), notices: posted().count, sticks: house.sticks.count, fetches: house.fetches)
      }, posted: posted)
  }

  package var isOpen: Bool { menu.isOpen }

  /// Nil while the music is shown.
  package var shown: ShownMenu? { menu.top.map { ShownMenu($0, words) } }

  package func move(_ move: Controls.MenuMove) {
    touch()
    let wasOpen = menu.isOpen
    switch move {
    case .open: if !menu.isOpen { act(menu.open(.menu)) }
    case .close: menu.close()
    case .back: act(menu.back())
    case .press: act(menu.press())
    case .turn(let steps): act(menu.turn(by: steps))
    case .leap(let steps): act(menu.leap(by: steps))
    }
    if menu.isOpen != wasOpen { asks.removeAll { !menu.numbers.contains($0.number) } }
    changed()
  }

  /// Something that it may show is otherwise.
  package func refresh() {
    guard menu.isOpen, asks.isEmpty, finding == nil else { return }
    act(menu.refresh())
  }

  /// When nothing is looked up or done any more.
  package func settled() async {
    while let task = fulfilling ?? finding { await task.value }
  }

  private func act(_ effects: [Menu.Effect]) {
    for effect in effects {
      switch effect {
      case .ask(let ask, let number): asks.append((ask, number))
      case .wish(let wish): fulfil(wish)
      }
    }
    guard finding == nil, !asks.isEmpty else { return }
    finding = Deck.start {
      await self.findAll()
      self.finding = nil
    }
  }

  private func findAll() async {
    while !asks.isEmpty {
      let (ask, number) = asks.removeFirst()
      guard menu.numbers.contains(number) else { continue }
      do throws(Fault) { take(try await shelf.find(ask), ask, number) } catch {
        menu.failed(error.message, number: number)
      }
      changed()
    }
  }

  private func take(_ found: MenuShelf.Found, _ ask: Menu.Ask, _ number: Int) {
    switch found {
    case .rows(let rows, let goesOn, let goesBack, let isElsewhere):
      act(menu.came(rows, goesOn: goesOn, goesBack: goesBack, number: number, isElsewhere: isElsewhere))
    case .more(let rows, let isMore):
      guard case .more(_, let end, let key) = ask else { return }
      act(menu.came(more: rows, at: end, from: key, isMore: isMore, number: number))
    case .letters(let letters, let found): menu.came(letters: letters, found: found, number: number)
    case .code(let code, let text): menu.came(code, text, number: number)
    case .nothing: break
    }
  }

  /// One after the other, in the order in which they were wished.
  private func fulfil(_ wish: Wish) {
    wishes.append(wish)
    guard fulfilling == nil else { return }
    fulfilling = Deck.start {
      while !self.wishes.isEmpty {
        do throws(Fault) { try await self.house.fulfil(self.wishes.removeFirst()) } catch { self.tell(error) }
      }
      self.fulfilling = nil
      self.refresh()
      self.changed()
    }
  }

  private func touch() {
    lastTouch = Deck.loop.now
    guard leaving == nil else { return }
    leaving = Deck.start { [weak self] in
      while let self, self.menu.isOpen || Deck.loop.now - self.lastTouch < Self.liveEvery {
        guard await Deck.loop.sleep(for: Self.liveEvery) else { break }
        self.passTime()
      }
      self?.leaving = nil
    }
  }

  private func passTime() {
    if Deck.loop.now - lastTouch >= Self.patience {
      menu.close()
      return changed()
    }
    if let place = menu.top?.place, place.isMoving { refresh() }
  }
}
