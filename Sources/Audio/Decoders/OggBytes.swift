import Formats
import Glibc
import Runtime

/// What the libraries of Ogg's formats read from. They would follow a chain of a million empty streams to its end
/// before they gave out a sound, one of them a step deeper in the stack at each; so what they may read and how often
/// they may jump is counted, and from then on the file has ended for them.
final class OggBytes {
  private let source: any ByteSource
  private(set) var fault: Fault?
  private(set) var isExhausted = false
  private var bytesLeft = 0
  private var seeksLeft = 0

  /// Before the first sound: more than a cover picture.
  private static let headBytes = 32 << 20
  /// Between one sound and the next. What is farther from the last good page is not looked for.
  private static let bytes = 8 << 20
  /// Each stream of a chain takes some ten of them when the file is opened. libvorbisfile's steps into the stack are
  /// fewer than these, and 512 KiB hold all of them. Where it gives up on the way it loses the memory of the streams it
  /// has seen, so they are few: a longer chain is played as it comes.
  private static let seeks = 300

  init(_ source: any ByteSource) { self.source = source }

  static func from(_ data: UnsafeMutableRawPointer?) -> OggBytes? {
    data.map { Unmanaged<OggBytes>.fromOpaque($0).takeUnretainedValue() }
  }

  var name: String { source.name }
  var position: Int64 { source.position }
  var length: Int64? { source.length }

  /// Before each call of the library. `toOpen`: it reads the headers.
  func grant(toOpen: Bool = false) {
    bytesLeft = toOpen ? Self.headBytes : Self.bytes
    seeksLeft = Self.seeks
    isExhausted = false
  }

  func rewind() throws(Fault) { try source.seek(to: 0) }

  /// 0 at the end, -1 after a fault.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !isExhausted, bytesLeft > 0 else {
      isExhausted = true
      return 0
    }
    do throws(Fault) {
      let got = try source.read(into: buffer)
      bytesLeft -= got
      return got
    } catch {
      fault = error
      return -1
    }
  }

  func seek(_ offset: Int64, _ whence: Int32) -> Bool {
    guard !isExhausted, seeksLeft > 0 else {
      isExhausted = true
      return false
    }
    seeksLeft -= 1
    guard let target = source.target(of: offset, whence) else { return false }
    do throws(Fault) { try source.seek(to: target) } catch { return false }
    return true
  }
}
