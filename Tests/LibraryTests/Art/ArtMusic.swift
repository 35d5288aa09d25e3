import Canvas
import Glibc
import Pictures
import Runtime
import TestSupport

@testable import Library

/// A folder with music that has pictures in it and beside it.
final class ArtMusic: Sendable {
  private let folder = TempFolder()
  var path: FilePath { folder.path }

  /// A PNG of one colour, `extra` bytes longer than it needs to be.
  static func cover(_ colour: UInt32, side: Int = 20, extra: Int = 0) throws(Fault) -> [UInt8] {
    let canvas = Canvas(size: Size(width: side, height: side))
    canvas.fill(canvas.bounds, Pixel(colour))
    return try PNG.encode(canvas) + [UInt8](repeating: 0, count: extra)
  }

  /// An MP3 with pictures: 3 is the front.
  static func song(_ pictures: [(kind: UInt8, bytes: [UInt8])]) -> [UInt8] {
    let frames = pictures.flatMap { picture in
      Bytes.frame(3, "APIC", [0] + Array("image/png".utf8) + [0, picture.kind, 0] + picture.bytes)
    }
    return Bytes.id3(3, frames) + Bytes.mpeg()
  }

  @discardableResult
  func put(_ bytes: [UInt8], _ name: String) throws(Fault) -> FilePath {
    try Folder.make((path / name).folder)
    try AtomicFile.replace(path / name, with: bytes)
    return path / name
  }
}

extension ArtShelf {
  func picture(of music: FilePath, at side: Int) async -> Picture? {
    await withCheckedContinuation { continuation in
      _ = ask(music, as: .square(side)) { continuation.resume(returning: $0) }
    }
  }
}
