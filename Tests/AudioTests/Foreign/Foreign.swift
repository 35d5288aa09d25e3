import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

/// The real program; it must be there unless the build was told to leave it out.
enum Foreign {
  /// A sanitizer's runtime and an emulator of programs cannot be shut in.
  static let canRun: Bool = {
    #if arch(arm64)
      return false
    #else
      return !Sanitizer.isThere && getenv("LAYBY_SMALL") == nil
    #endif
  }()

  static let why: Comment = "nothing here decodes foreign files"

  static func open(_ path: FilePath) throws -> ForeignDecoder {
    let source = try FileSource(path)
    switch try ForeignDecoder.open(source) {
    case .decoder(let decoder): return decoder
    case .refused(let why): throw Tool.Failed(description: why)
    }
  }

  /// What ffmpeg's own program makes of it.
  static func reference(_ path: FilePath, in folder: TempFolder) throws -> [Int32] {
    let raw = folder.path / "reference.raw"
    try Tool.run("ffmpeg", ["-v", "error", "-y", "-i", "\(path)", "-f", "s32le", "-ac", "2", "\(raw)"])
    let bytes = try Bytes.read(raw)
    return bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    }
  }
}

extension Signal {
  /// As ffmpeg encodes it.
  func write(_ path: FilePath, _ options: [String]) throws {
    let flac = FilePath("\(path).flac")
    try writeFLAC(flac, ["-0"])
    defer { _ = flac.withCString { unlink($0) } }
    try Tool.run("ffmpeg", ["-v", "error", "-y", "-i", "\(flac)", "-map_metadata", "-1"] + options + ["\(path)"])
  }
}
