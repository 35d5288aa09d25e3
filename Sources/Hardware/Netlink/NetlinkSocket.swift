internal import CLinux
import Glibc
import Runtime

/// Owns a netlink socket, for requests to the kernel or for its notifications. Messages of other programs are ignored.
package struct NetlinkSocket: ~Copyable, Sendable {
  package enum Partner: Sendable {
    case routes, generic, kernelEvents

    fileprivate var number: Int32 {
      switch self {
      case .routes: NETLINK_ROUTE
      case .generic: NETLINK_GENERIC
      case .kernelEvents: NETLINK_KOBJECT_UEVENT
      }
    }
  }

  /// The kernel gives no more at once.
  static let longestDatagram = 65_536
  /// It answers at once; a driver that is asked by it may take its time.
  private static let patience: Duration = .seconds(3)
  private static let tries = 4

  private let descriptor: Descriptor

  package init(_ partner: Partner, hearing groups: [Int32] = []) throws(Fault) {
    // Stored only after the last `throw`: Swift 6.0.3 crashes on the other order.
    let descriptor = Descriptor(taking: layby_netlink_socket(partner.number))
    guard descriptor.number >= 0 else { throw Fault.system("H-740", doing: "speak with the kernel") }
    for group in groups {
      var group = group
      let joined = setsockopt(
        descriptor.number, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, socklen_t(MemoryLayout<Int32>.size))
      guard joined == 0 else { throw Fault.system("H-741", doing: "hear what the kernel tells") }
    }
    self.descriptor = descriptor
  }

  package var number: Int32 { descriptor.number }

  // MARK: Asking

  /// All messages of the answer. Waits for the kernel, so never on the main loop.
  package static func ask(_ partner: Partner, _ request: NetlinkRequest) throws(Fault) -> [NetlinkMessage] {
    for _ in 0..<tries {
      // Each time another socket: what is left of an answer goes with it.
      let socket = try NetlinkSocket(partner)
      if let messages = try socket.ask(request) { return messages }
    }
    throw Fault(.passing, "H-744", "cannot ask the kernel: what it lists never rests")
  }

  /// Nil when it has to be asked again.
  private borrowing func ask(_ request: NetlinkRequest) throws(Fault) -> [NetlinkMessage]? {
    let bytes = request.bytes(sequence: 1)
    guard send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Fault.system("H-742", doing: "ask the kernel")
    }
    var answer = NetlinkAnswer(to: 1)
    var block = [UInt8](repeating: 0, count: Self.longestDatagram)
    let end = Moment.now + Self.patience
    while true {
      let left = (end - Moment.now).milliseconds
      var slot = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&slot, 1, Int32(left)) != 0 else {
        throw Fault(.passing, "H-743", "the kernel does not answer")
      }
      switch receive(into: &block) {
      case .nothing: continue
      case .lost: return nil
      case .failed(let number): throw Fault.system("H-743", doing: "hear the kernel's answer", errno: number)
      case .datagram(let count):
        switch answer.take(block[..<count]) {
        case .more: continue
        case .whole: return answer.messages
        case .interrupted: return nil
        case .refused(let number): throw Fault.system("H-742", doing: "ask the kernel", errno: number)
        case .malformed: throw Fault(.malformed, "H-743", "the kernel's answer makes no sense")
        }
      }
    }
  }

  // MARK: Hearing

  enum Received: Equatable {
    case nothing
    case datagram(Int)
    /// More happened than there was room for. What is known is old, all of it.
    case lost
    case failed(Int32)

    /// What a call has given; what is longer than the room for it is as good as lost.
    init(count: Int, room: Int, errno number: Int32, sender: UInt32) {
      switch count {
      case ..<0 where number == ENOBUFS: self = .lost
      case ..<0 where number == EAGAIN || number == EINTR: self = .nothing
      case ..<0: self = .failed(number)
      case _ where sender != 0: self = .nothing
      case (room + 1)...: self = .lost
      default: self = .datagram(count)
      }
    }
  }

  borrowing func receive(into block: inout [UInt8]) -> Received {
    var sender: UInt32 = 0
    let room = block.count
    let count = layby_netlink_receive(number, &block, room, &sender)
    return Received(count: count, room: room, errno: count < 0 ? errno : 0, sender: sender)
  }
}
