/// Makes a picture larger or smaller while its rows come, and lays what is transparent over black. Brightness is added
/// up as light and not as the eye's steps: otherwise fine bright patterns become too dark.
///
/// It owns its sums as plain memory, because every loop here runs over all pixels of a large picture.
struct PictureScaler: ~Copyable {
  private let part: Rect
  private let size: Size
  private let across: AxisWeights
  private let down: [[(new: Int, weight: Float)]]
  /// A new pixel's light of red, green and blue, 0 to `Light.full`.
  private let sums: UnsafeMutablePointer<SIMD4<Float>>
  private let row: UnsafeMutablePointer<SIMD4<Float>>
  private let narrow: UnsafeMutablePointer<SIMD4<Float>>

  /// `part` of what comes, made as large as `size`.
  init(_ part: Rect, to size: Size) {
    self.part = part
    self.size = size
    across = AxisWeights(from: part.width, to: size.width)
    down = AxisWeights(from: part.height, to: size.height).byOld
    sums = .allocate(capacity: size.width * size.height)
    sums.initialize(repeating: .zero, count: size.width * size.height)
    row = .allocate(capacity: part.width)
    row.initialize(repeating: .zero, count: part.width)
    narrow = .allocate(capacity: size.width)
    narrow.initialize(repeating: .zero, count: size.width)
  }

  deinit {
    sums.deallocate()
    row.deallocate()
    narrow.deallocate()
  }

  /// Row `y` of what comes, in red, green, blue and alpha.
  func add(_ bytes: UnsafePointer<UInt8>, y: Int) {
    guard part.rows.contains(y) else { return }
    lighten(bytes + part.x * 4)
    narrowRow()
    let width = size.width
    let narrow = narrow
    for (new, weight) in down[y - part.y] {
      let sum = sums + new * width
      let weight = SIMD4<Float>(repeating: weight)
      for x in 0..<width { sum[x] += narrow[x] * weight }
    }
  }

  private func lighten(_ bytes: UnsafePointer<UInt8>) {
    let light = Light.fromStep
    let row = row
    for x in 0..<part.width {
      let pixel = bytes + 4 &* x
      var value = SIMD4<Float>(
        Float(light[Int(pixel[0])]), Float(light[Int(pixel[1])]), Float(light[Int(pixel[2])]), 0)
      if pixel[3] != 255 { value *= SIMD4<Float>(repeating: Float(pixel[3]) / 255) }
      row[x] = value
    }
  }

  private func narrowRow() {
    let (row, narrow, width) = (row, narrow, size.width)
    across.weights.withUnsafeBufferPointer { weights in
      across.first.withUnsafeBufferPointer { first in
        across.start.withUnsafeBufferPointer { start in
          for x in 0..<width {
            var sum = SIMD4<Float>.zero
            let (begin, end) = (start[x], start[x + 1])
            let old = row + first[x]
            for at in begin..<end { sum += old[at &- begin] * SIMD4<Float>(repeating: weights[at]) }
            narrow[x] = sum
          }
        }
      }
    }
  }

  /// What has come so far; black where nothing came.
  func finished() -> [UInt32] {
    let step = Light.toStep
    func part(_ value: Float) -> UInt32 { UInt32(step[min(max(0, Int(value + 0.5)), Light.full)]) }
    return (0..<size.width * size.height).map { at in
      let sum = sums[at]
      return part(sum.x) << 16 | part(sum.y) << 8 | part(sum.z)
    }
  }
}
