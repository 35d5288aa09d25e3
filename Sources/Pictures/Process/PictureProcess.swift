import DecoderProtocol
import Glibc
import Runtime

/// Decodes pictures in a process of its own: JPEG, PNG and WebP are foreign bytes, and their decoders have had faults
/// that gave them the whole program. Started with the first picture, and gone with this object or with the thread that
/// asked first. Used by that thread alone.
///
/// One that dies, lies or is silent costs its own picture and nothing else; the next picture gets a new process.
package final class PictureProcess {
  /// The player's own program, which is the one that runs even when its file was replaced meanwhile.
  package static let words = ["/proc/self/exe", PictureServer.verb]

  private let words: [String]
  /// How long one picture may take. The process runs at idle priority, so a large one may take seconds.
  private let patience: Duration
  private let envelope = Envelope()
  private var process: ChildProcess?
  private var socket = Descriptor(taking: -1)

  package init(_ words: [String], patience: Duration = .seconds(60)) {
    self.words = words
    self.patience = patience
  }

  package var pid: pid_t? { process?.pid }

  /// As `Picture.decode`, in the process.
  package func decode(
    _ bytes: [UInt8], named name: String, as frame: PictureFrame, limits: PictureLimits = PictureLimits(),
    isWanted: () -> Bool = { true }
  ) throws(Fault) -> Picture {
    guard bytes.count <= PictureRequest.mostBytes else {
      throw Fault(.unsupported, "K-168", "the picture \(name) has \(bytes.count) bytes; up to 64 MB are decoded")
    }
    if process == nil { try start() }
    do throws(Fault) {
      let end = Moment.now + patience
      let request = PictureRequest(frame: frame, limits: limits, byteCount: bytes.count, name: name)
      request.write(to: envelope)
      try post(name, until: end, isWanted)
      try send(bytes, name, until: end, isWanted)
      try receive(name, until: end, isWanted)
      switch PictureReply(envelope) {
      case .size(let size) where Self.isPossible(size, as: frame):
        return try picture(size, name, until: end, isWanted)
      case .fault(let fault): throw fault
      case .size, nil: throw broken(name, "answered nonsense")
      }
    } catch {
      // What is half said cannot be gone on with; only a fault of the picture itself was said to its end.
      if error.kind == .passing || error.code == Self.died { end() }
      throw error
    }
  }

  private static let died = "K-167"

  /// A picture that fills its frame is as large as that; one that fits it lies within.
  private static func isPossible(_ size: Size, as frame: PictureFrame) -> Bool {
    switch frame {
    case .filling(let wanted): size == PictureFrame.filling(wanted).result(of: size)
    case .fitting(let wanted):
      size.width <= max(1, min(wanted.width, PictureFrame.longestSide))
        && size.height <= max(1, min(wanted.height, PictureFrame.longestSide))
    }
  }

  private func start() throws(Fault) {
    var ends: [Int32] = [-1, -1]
    let packets = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, packets, 0, &ends) == 0 else { throw Fault.system("K-169", doing: "make a socket pair") }
    socket = Descriptor(taking: ends[0])
    let theirs = Descriptor(taking: ends[1])
    process = try ChildProcess(words, in: .shutIn(with: theirs.number))
  }

  private func end() {
    process = nil
    socket = Descriptor(taking: -1)
  }

  // MARK: One message

  private func send(_ bytes: [UInt8], _ name: String, until end: Moment, _ isWanted: () -> Bool) throws(Fault) {
    var sent = 0
    while sent < bytes.count {
      let count = min(bytes.count - sent, Envelope.most)
      bytes.withUnsafeBytes { bytes in
        envelope.space.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sent..<sent + count]))
      }
      envelope.close(.init(kind: PictureRequest.bytesKind), size: count)
      try post(name, until: end, isWanted)
      sent += count
    }
  }

  private func picture(
    _ size: Size, _ name: String, until end: Moment, _ isWanted: () -> Bool
  ) throws(Fault) -> Picture {
    var pixels: [UInt32] = []
    pixels.reserveCapacity(size.width * size.height)
    while pixels.count < size.width * size.height {
      try receive(name, until: end, isWanted)
      let content = envelope.content
      guard envelope.head.kind == PictureReply.pixelsKind, !content.isEmpty, content.count % 4 == 0,
        content.count / 4 <= size.width * size.height - pixels.count
      else { throw broken(name, "answered nonsense") }
      for at in stride(from: 0, to: content.count, by: 4) {
        pixels.append(content.loadUnaligned(fromByteOffset: at, as: UInt32.self) & 0xFF_FFFF)
      }
    }
    guard let picture = Picture(size: size, pixels: pixels) else { throw broken(name, "answered nonsense") }
    return picture
  }

  private func post(_ name: String, until end: Moment, _ isWanted: () -> Bool) throws(Fault) {
    while !envelope.post(to: socket.number) {
      guard errno == EAGAIN else { throw broken(name, "ended (code \(endCode))") }
      try checkStillWanted(name, until: end, isWanted)
      _ = Readiness.writable(socket.number, until: min(end, .now + Self.slice))
    }
  }

  private func receive(_ name: String, until end: Moment, _ isWanted: () -> Bool) throws(Fault) {
    while Readiness.readable([socket.number], until: min(end, .now + Self.slice)).isEmpty {
      try checkStillWanted(name, until: end, isWanted)
    }
    guard envelope.receive(from: socket.number) else { throw broken(name, "ended (code \(endCode))") }
  }

  /// Between two looks whether it is still wanted.
  private static let slice: Duration = .milliseconds(50)

  private func checkStillWanted(_ name: String, until end: Moment, _ isWanted: () -> Bool) throws(Fault) {
    guard isWanted() else { throw Picture.unwanted(name) }
    guard Moment.now < end else { throw broken(name, "did not answer in \(patience.milliseconds / 1_000) s") }
  }

  /// It has hung up, which says nothing yet of its end.
  private var endCode: Int32 {
    process?.end()
    return process?.ending?.code ?? 0
  }

  private func broken(_ name: String, _ why: String) -> Fault {
    Fault(.malformed, Self.died, "the picture \(name) cannot be decoded: the process that does it \(why)")
  }
}
