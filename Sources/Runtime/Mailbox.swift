import Synchronization

/// Messages from any thread to one receiver on a loop. It takes the place of AsyncStream, whose `for await` wakes
/// the language's thread pool.
///
/// Bounded: when it is full the oldest message goes and is counted, because a sender must never wait and an endless
/// backlog helps nobody.
package final class Mailbox<Message: Sendable>: Sendable {
  private struct State {
    var messages: [Message] = []
    var receiver: CheckedContinuation<Message?, Never>?
    var closed = false
    var dropped = 0
    var whenClosed: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let limit: Int

  package init(limit: Int = 1_024) { self.limit = limit }

  package var dropped: Int { state.withLock { $0.dropped } }

  package var isClosed: Bool { state.withLock { $0.closed } }

  package func send(_ message: Message) {
    let receiver = state.withLock { state -> CheckedContinuation<Message?, Never>? in
      if state.closed { return nil }
      if let receiver = state.receiver {
        state.receiver = nil
        return receiver
      }
      if state.messages.count >= limit {
        state.messages.removeFirst()
        state.dropped += 1
      }
      state.messages.append(message)
      return nil
    }
    receiver?.resume(returning: message)
  }

  /// The next message; nil once the box is closed and empty, or the receiver is cancelled.
  package func receive(isolation: isolated (any Actor)? = #isolation) async -> Message? {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let immediate = state.withLock { state -> Message?? in
          if !state.messages.isEmpty { return state.messages.removeFirst() }
          if state.closed || Task.isCancelled { return .some(nil) }
          precondition(state.receiver == nil, "a mailbox has one receiver")
          state.receiver = continuation
          return nil
        }
        if let immediate { continuation.resume(returning: immediate) }
      }
    } onCancel: {
      state.withLock { state -> CheckedContinuation<Message?, Never>? in
        defer { state.receiver = nil }
        return state.receiver
      }?.resume(returning: nil)
    }
  }

  /// What waits already, without waiting.
  package func tryReceive() -> Message? {
    state.withLock { $0.messages.isEmpty ? nil : $0.messages.removeFirst() }
  }

  /// For whoever fills it from elsewhere: there is no need any more. At once when it is closed already.
  package func whenClosed(_ action: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state -> Bool in
      if !state.closed { state.whenClosed = action }
      return state.closed
    }
    if isClosed { action() }
  }

  /// What waits is still received; what is sent from now on is not.
  package func close() {
    let (receiver, action) = state.withLock { state in
      state.closed = true
      defer { (state.receiver, state.whenClosed) = (nil, nil) }
      return (state.receiver, state.whenClosed)
    }
    receiver?.resume(returning: nil)
    action?()
  }
}
