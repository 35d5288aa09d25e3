import Audio
import Offline
import Runtime
import Synchronization

/// From the wish to hear something that is not here to its first frames.
enum FirstSound {
  /// As a device wants them before it begins.
  private static let frames = 1_024

  static func take(of item: String, _ engine: Engine) async throws(Fault) -> Duration {
    let began = Moment.now
    let stream = try await engine.part.stream(ItemKey(source: Engine.source, item: item), at: .lossless)
    let heard = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Moment, Fault>, Never>) in
      do throws(Fault) {
        try NamedThread.start("decode", stackBytes: 1 << 20) {
          continuation.resume(returning: Result { () throws(Fault) in try hear(stream, item, engine.loop) })
        }
      } catch { continuation.resume(returning: .failure(error)) }
    }
    await stream.close()
    return try heard.get() - began
  }

  private static func hear(_ stream: MediaStream, _ item: String, _ loop: EventLoop) throws(Fault) -> Moment {
    let decoder = try openDecoder(Listener(item, stream, on: loop))
    let space = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * frames)
    defer { space.deallocate() }
    var count = 0
    while count < frames {
      let got = try decoder.read(into: space, count: frames - count)
      guard got > 0 else { throw Fault(.malformed, "B-265", "\(item) ends before it has begun") }
      count += got
    }
    return .now
  }
}

/// A stream as the player's decoders read it.
private final class Listener: ComingBytes {
  let name: String
  private let stream: MediaStream
  private let loop: EventLoop
  private let size = Mutex<Int64?>(nil)

  init(_ name: String, _ stream: MediaStream, on loop: EventLoop) {
    (self.name, self.stream, self.loop) = (name, stream, loop)
  }

  var length: Int64? { size.withLock { $0 } }

  func read(at offset: Int64, most count: Int, then: @escaping @Sendable (Result<[UInt8], Fault>) -> Void) {
    Task(executorPreference: loop) { [self, stream] in
      do throws(Fault) {
        let bytes = try await stream.read(at: offset, most: count)
        let all = await stream.size()
        size.withLock { $0 = all }
        then(.success(bytes))
      } catch { then(.failure(error)) }
    }
  }
}
