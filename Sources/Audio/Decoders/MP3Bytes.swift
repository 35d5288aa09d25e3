import Glibc
import Runtime

/// What the library reads from and decodes into. It knows no faults but -1.
final class MP3Bytes {
  private let source: any ByteSource
  private(set) var fault: Fault?
  let scratch = UnsafeMutablePointer<Int16>.allocate(capacity: 2 * MP3Bytes.most)

  /// Frames decoded in one go.
  static let most = 8_192

  init(_ source: any ByteSource) { self.source = source }

  deinit { scratch.deallocate() }

  static func from(_ data: UnsafeMutableRawPointer?) -> MP3Bytes? {
    data.map { Unmanaged<MP3Bytes>.fromOpaque($0).takeUnretainedValue() }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    do throws(Fault) { return try source.read(into: buffer) } catch {
      fault = error
      return -1
    }
  }

  func seek(_ offset: Int64, _ whence: Int32) -> off_t {
    let base: Int64? =
      switch whence {
      case SEEK_SET: 0
      case SEEK_CUR: source.position
      case SEEK_END: source.length
      default: nil
      }
    guard let base else { return -1 }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    do throws(Fault) { try source.seek(to: target) } catch { return -1 }
    return off_t(target)
  }
}
