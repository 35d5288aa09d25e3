import Pictures
import Runtime

/// Who wants which picture. Rules only: wishes for the same picture are one piece of work; the one made last is done
/// first, since that is where somebody looks; and what nobody wants any more is not begun, and given up when it is.
struct ArtWishes<Ticket: Hashable> {
  struct Request: Hashable {
    let music: FilePath
    let frame: PictureFrame
  }

  /// Longer than any screen: who scrolls through thousands of rows wants the last of them.
  let most: Int
  private var waiting: [Request] = []
  private var tickets: [Request: [Ticket]] = [:]
  private var wishes: [Ticket: Request] = [:]
  private(set) var atWork: Request?

  init(most: Int = 256) { self.most = most }

  var isEmpty: Bool { waiting.isEmpty && atWork == nil }
  var waitingCount: Int { waiting.count }

  /// Gives back whose wish fell out because there were too many: they get no picture.
  mutating func add(_ ticket: Ticket, _ wish: Request) -> [Ticket] {
    guard wishes[ticket] == nil else { return [] }
    wishes[ticket] = wish
    tickets[wish, default: []].append(ticket)
    if wish == atWork { return [] }
    waiting.removeAll { $0 == wish }
    waiting.append(wish)
    guard waiting.count > most else { return [] }
    return settle(waiting.removeFirst())
  }

  /// True when nobody wants any more what is being worked at.
  mutating func cancel(_ ticket: Ticket) -> Bool {
    guard let wish = wishes.removeValue(forKey: ticket) else { return false }
    tickets[wish]?.removeAll { $0 == ticket }
    guard tickets[wish]?.isEmpty ?? true else { return false }
    tickets[wish] = nil
    waiting.removeAll { $0 == wish }
    return wish == atWork
  }

  /// Whether somebody still wants what is at work.
  var isWanted: Bool { atWork.map { tickets[$0] != nil } ?? false }

  /// One at a time.
  mutating func next() -> Request? {
    atWork = waiting.popLast()
    return atWork
  }

  /// Whom to tell. A wish that was given up and made again meanwhile is taken up once more.
  mutating func finish(givenUp: Bool) -> [Ticket] {
    guard let wish = atWork else { return [] }
    atWork = nil
    if givenUp {
      if tickets[wish] != nil { waiting.append(wish) }
      return []
    }
    return settle(wish)
  }

  private mutating func settle(_ wish: Request) -> [Ticket] {
    let all = tickets.removeValue(forKey: wish) ?? []
    for ticket in all { wishes[ticket] = nil }
    return all
  }
}
