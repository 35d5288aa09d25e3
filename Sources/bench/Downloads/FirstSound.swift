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
    let decoder = try openDecoder(StreamSource(item, stream, on: loop), asking: nil)
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

/// A stream as a decoder reads it. Whoever reads waits for the bytes, on its own thread.
private final class StreamSource: ByteSource {
  let name: String
  private let stream: MediaStream
  private let loop: EventLoop
  private let answer: Answer
  private(set) var position: Int64 = 0
  private(set) var length: Int64?

  private final class Answer: Sendable {
    let bell: Bell
    let said = Mutex<Result<[UInt8], Fault>>(.success([]))
    let size = Mutex<Int64?>(nil)
    init() throws(Fault) { bell = try Bell() }
  }

  init(_ name: String, _ stream: MediaStream, on loop: EventLoop) throws(Fault) {
    (self.name, self.stream, self.loop) = (name, stream, loop)
    answer = try Answer()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    let (answer, stream, position, count) = (answer, stream, position, buffer.count)
    Task(executorPreference: loop) {
      let said: Result<[UInt8], Fault>
      do throws(Fault) { said = .success(try await stream.read(at: position, most: count)) } catch {
        said = .failure(error)
      }
      let size = await stream.size()
      answer.size.withLock { $0 = size }
      answer.said.withLock { $0 = said }
      answer.bell.ring()
    }
    answer.bell.wait()
    let bytes = try answer.said.withLock { $0 }.get()
    length = answer.size.withLock { $0 }
    buffer.copyBytes(from: bytes)
    self.position += Int64(bytes.count)
    return bytes.count
  }

  func seek(to position: Int64) throws(Fault) { self.position = position }
}
