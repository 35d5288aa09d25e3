import Glibc
import Runtime

/// How often the PIN was tried in vain, beside the state: a plug that is pulled does not make anybody forget it. The
/// count is written where the last one stands, which takes no room: the keeper gets in on a full disk too.
enum PinTries {
  private static let most = 1_000

  private static func path(in state: FilePath) -> FilePath { state / "pin-tries" }

  /// Always as long. Short enough to be written whole or not at all.
  private static func text(_ count: Int) -> [UInt8] {
    let digits = String(min(max(count, 0), most))
    return Array((String(repeating: "0", count: 4 - digits.count) + digits + "\n").utf8)
  }

  /// A file that makes no sense is as good as the most there can be.
  static func read(in state: FilePath) -> Int {
    do throws(Fault) {
      let text = String(decoding: try AtomicFile.read(path(in: state), limit: 64).prefix { $0 != 0x0A }, as: UTF8.self)
      return Int(text) ?? most
    } catch { return error.kind == .missing ? 0 : most }
  }

  /// At the start of a kiosk, so that there is a place for the count before the disk is full.
  static func prepare(in state: FilePath) throws(Fault) { try keep(read(in: state), in: state) }

  static func keep(_ count: Int, in state: FilePath) throws(Fault) {
    let (path, text) = (path(in: state), text(count))
    let file: Descriptor
    do throws(Fault) { file = try Descriptor.open(path, O_WRONLY, code: "X-208") } catch {
      guard error.kind == .missing else { throw error }
      return try AtomicFile.replace(path, with: text)
    }
    guard pwrite(file.number, text, text.count, 0) == text.count, fdatasync(file.number) == 0 else {
      throw Fault.system("X-209", doing: "keep the count in \(path)")
    }
  }
}
