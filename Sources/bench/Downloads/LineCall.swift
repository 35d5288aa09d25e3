import Glibc
import Runtime

/// One connection through a slow line: whoever asks is near, the server is far.
final class LineCall {
  /// Bytes on their way.
  private struct Parcel {
    var bytes: ArraySlice<UInt8>
    var due: Moment
  }

  /// A server sends no further ahead than so much.
  private static let window = 1 << 18

  private let near: Descriptor
  private let far: Descriptor
  private let shape: LineShape
  /// When it would be open if the other end were as far away as is pretended.
  private let opened: Moment
  private var start: SlowStart
  private var up: [Parcel] = []
  private var down: [Parcel] = []
  private var waiting = 0
  private var sent = 0
  private var hasFarEnded = false
  private(set) var isOver = false
  private var block = [UInt8](repeating: 0, count: 65_536)

  init(near: Int32, far: Int32, _ shape: LineShape, at now: Moment) {
    self.near = Descriptor(taking: near)
    self.far = Descriptor(taking: far)
    self.shape = shape
    opened = now + shape.roundTrip
    start = SlowStart(roundTrip: shape.roundTrip)
    for number in [near, far] {
      _ = fcntl(number, F_SETFL, O_NONBLOCK)
      var yes: Int32 = 1
      setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  /// What it can hear just now.
  var wanted: [Int32] { hasFarEnded || waiting >= Self.window ? [near.number] : [near.number, far.number] }
  /// When something has to be done without anybody's saying anything.
  var next: Moment? { [up.first?.due, down.first?.due].compactMap { $0 }.min() }

  func hasWaiting(at now: Moment) -> Bool { down.first.map { $0.due <= now } ?? false }

  private var oneWay: Duration { .nanoseconds(shape.roundTrip.nanoseconds / 2) }

  func hear(at now: Moment) {
    let asked = read(near)
    if asked == nil { isOver = true }
    if let asked, !asked.isEmpty { up.append(Parcel(bytes: asked[...], due: max(now, opened) + oneWay)) }
    while let parcel = up.first, parcel.due <= now {
      let count = write(parcel.bytes, to: far)
      up[0].bytes.removeFirst(count)
      guard count == parcel.bytes.count else { break }
      up.removeFirst()
    }
    while !hasFarEnded, waiting < Self.window {
      guard let said = read(far) else {
        hasFarEnded = true
        break
      }
      if said.isEmpty { break }
      down.append(Parcel(bytes: said[...], due: now + oneWay))
      waiting += said.count
    }
  }

  /// How much of what is due has gone on its last way.
  func say(_ most: Int, at now: Moment) -> Int {
    var said = 0
    while let parcel = down.first, parcel.due <= now {
      let room = min(most - said, start.limit(at: now) - sent)
      guard room > 0 else { break }
      let count = write(parcel.bytes.prefix(room), to: near)
      guard count > 0 else { break }
      (said, sent, waiting) = (said + count, sent + count, waiting - count)
      if count == parcel.bytes.count { down.removeFirst() } else { down[0].bytes.removeFirst(count) }
    }
    if hasFarEnded, down.isEmpty { isOver = true }
    return said
  }

  /// Empty when there is nothing just now; nil when there is no more.
  private func read(_ socket: borrowing Descriptor) -> [UInt8]? {
    let count = recv(socket.number, &block, block.count, Int32(MSG_DONTWAIT))
    if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
    return count == 0 ? nil : Array(block[..<count])
  }

  private func write(_ bytes: ArraySlice<UInt8>, to socket: borrowing Descriptor) -> Int {
    let count = bytes.withUnsafeBytes { buffer in
      send(socket.number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    if count < 0, errno != EAGAIN, errno != EINTR { isOver = true }
    return max(count, 0)
  }
}
