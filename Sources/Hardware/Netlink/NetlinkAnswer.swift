import Runtime

/// Reads the kernel's answer to one request, which may come in many datagrams. A value.
///
/// An answer is any number of messages with the request's number, then an end or an error. Messages with another number
/// belong to an earlier request, and are skipped. When the kernel says that a list changed while it was sent, the list is
/// not valid, and has to be requested again.
package struct NetlinkAnswer: Sendable {
  package enum Progress: Equatable, Sendable {
    case more
    case whole
    /// The list changed while the kernel sent it, so it has to be requested again.
    case interrupted
    case refused(errno: Int32)
    case malformed
  }

  /// More than any board has; what goes on beyond it is no answer.
  package static let most = 16_384

  package private(set) var messages: [NetlinkMessage] = []
  private let sequence: UInt32
  private var isInterrupted = false

  package init(to sequence: UInt32) { self.sequence = sequence }

  package mutating func take(_ datagram: ArraySlice<UInt8>) -> Progress {
    let (found, isWhole) = NetlinkMessage.all(in: datagram)
    guard isWhole else { return .malformed }
    for message in found where message.sequence == sequence {
      if message.flags & NetlinkNumber.isInterrupted != 0 { isInterrupted = true }
      switch message.type {
      case NetlinkNumber.error, NetlinkNumber.done: return end(message)
      default:
        guard messages.count < Self.most else { return .malformed }
        messages.append(message)
      }
    }
    return .more
  }

  /// Both may carry an error, negative; zero is a receipt. An end without one is as good.
  private func end(_ message: NetlinkMessage) -> Progress {
    let number = message.body.number(at: 0, UInt32.self).map { Int32(bitPattern: $0) }
    if message.type == NetlinkNumber.error, number == nil { return .malformed }
    if let number, number < 0 { return .refused(errno: number == .min ? .max : -number) }
    return isInterrupted ? .interrupted : .whole
  }
}
