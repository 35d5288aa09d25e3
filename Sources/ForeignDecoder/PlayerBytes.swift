internal import CAV
import DecoderProtocol
import Glibc

/// The file as the library sees it: its bytes are with the player and asked for over the socket.
final class PlayerBytes {
  private let socket: Int32
  private let envelope: Envelope
  private let length: Int64?
  private var position: Int64 = 0

  static let blockSize: Int32 = 32_768

  init(_ socket: Int32, _ envelope: Envelope, length: Int64?) {
    self.socket = socket
    self.envelope = envelope
    self.length = length
  }

  private func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
    Reply.need(offset: position, count: min(count, Envelope.most)).write(to: envelope)
    guard envelope.send(to: socket), envelope.receive(from: socket) else { exit(0) }  // The player has gone.
    guard Question(envelope.head) == .bytes(offset: position), envelope.size <= count else { exit(EX_PROTOCOL) }
    if envelope.size == 0 { return layby_av_end }
    UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(from: envelope.content)
    position += Int64(envelope.size)
    return Int32(envelope.size)
  }

  private func seek(to offset: Int64, _ whence: Int32) -> Int64 {
    let base: Int64
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return length ?? Int64(layby_av_refused)
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END:
      guard let length else { return Int64(layby_av_refused) }
      base = length
    default: return Int64(layby_av_refused)
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, (0...Reply.farthest).contains(target) else { return Int64(layby_av_refused) }
    position = target
    return target
  }

  /// The library's own view of it, which `close` takes back. Nil without memory.
  func open() -> UnsafeMutablePointer<AVIOContext>? {
    position = 0
    guard let block = av_malloc(Int(Self.blockSize)) else { return nil }
    let context = avio_alloc_context(
      block.assumingMemoryBound(to: UInt8.self), Self.blockSize, 0, Unmanaged.passUnretained(self).toOpaque(),
      { bytes, buffer, count in
        guard let bytes, let buffer, count > 0 else { return layby_av_end }
        return Unmanaged<PlayerBytes>.fromOpaque(bytes).takeUnretainedValue().read(into: buffer, count: Int(count))
      }, nil,
      { bytes, offset, whence in
        guard let bytes else { return Int64(layby_av_refused) }
        return Unmanaged<PlayerBytes>.fromOpaque(bytes).takeUnretainedValue().seek(to: offset, whence)
      })
    if context == nil { av_free(block) }
    return context
  }

  static func close(_ context: UnsafeMutablePointer<AVIOContext>?) {
    guard let context else { return }
    // The library may have put another block in the place of ours.
    av_free(context.pointee.buffer)
    var given: UnsafeMutablePointer<AVIOContext>? = context
    avio_context_free(&given)
  }
}
