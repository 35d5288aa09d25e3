import Runtime

/// A picture ready to be drawn: as large as it is shown, opaque, row after row, 0x00RRGGBB as a canvas has it.
package struct Picture: Equatable, Sendable {
  package let size: Size
  package let pixels: [UInt32]

  /// Nil unless there are as many pixels as the size says.
  package init?(size: Size, pixels: [UInt32]) {
    guard size.width > 0, size.height > 0, pixels.count == size.width * size.height else { return nil }
    self.size = size
    self.pixels = pixels
  }

  init(filling size: Size, _ pixels: [UInt32]) {
    self.size = size
    self.pixels = pixels
  }

  /// What it takes in memory.
  package var byteCount: Int { pixels.count * 4 + 64 }
}

extension Picture {
  /// A picture from a file's bytes, in one go at the size at which it is shown. What is cut off shows what is there;
  /// what is refused is named by `name`. It takes its time: nothing for the main loop.
  package static func decode(
    _ bytes: [UInt8], named name: String, as frame: PictureFrame, limits: PictureLimits = PictureLimits(),
    isWanted: () -> Bool = { true }
  ) throws(Fault) -> Picture {
    let result: Result<Picture, Fault> = bytes.withUnsafeBufferPointer { bytes in
      do throws(Fault) {
        return .success(try decode(bytes, named: name, as: frame, limits: limits, isWanted: isWanted))
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  package static func unwanted(_ name: String) -> Fault {
    Fault(.passing, "K-146", "the picture \(name) is no longer wanted")
  }

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, named name: String, as frame: PictureFrame, limits: PictureLimits,
    isWanted: () -> Bool
  ) throws(Fault) -> Picture {
    var reader = try PictureReader(bytes, named: name, limits: limits)
    if let failure = reader.failure { throw failure }
    guard try reader.begin(atLeast: frame.whole(of: reader.size), isWanted: isWanted) else { throw unwanted(name) }

    let part = frame.part(of: reader.size)
    let size = frame.result(of: reader.size)
    let scaler = PictureScaler(part, to: size)
    let row = UnsafeMutablePointer<UInt8>.allocate(capacity: reader.size.width * 4)
    row.initialize(repeating: 0, count: reader.size.width * 4)
    defer { row.deallocate() }
    // Below the part nothing matters any more.
    for y in 0..<part.bottom {
      if y % 16 == 0, !isWanted() { throw unwanted(name) }
      guard try reader.read(row) else {
        // Nothing of what is shown was there.
        guard y > part.y else {
          throw Fault(.malformed, "K-147", "the picture \(name) cannot be decoded: \(reader.reason ?? "it is empty")")
        }
        break
      }
      scaler.add(row, y: y)
    }
    return Picture(filling: size, scaler.finished())
  }
}
