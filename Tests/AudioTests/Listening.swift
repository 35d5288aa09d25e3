import Runtime

@testable import Audio

extension Decoder {
  /// Everything to the end, in pieces of odd sizes.
  func readAll(pieces: Int = 3_001) throws(Fault) -> [Int32] {
    var all: [Int32] = []
    let piece = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * pieces)
    defer { piece.deallocate() }
    while true {
      let count = try read(into: piece, count: pieces)
      if count == 0 { return all }
      all += UnsafeBufferPointer(start: piece, count: 2 * count)
    }
  }

  func readSome(_ count: Int) throws(Fault) -> [Int32] {
    var some: [Int32] = []
    let piece = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * count)
    defer { piece.deallocate() }
    while some.count < 2 * count {
      let got = try read(into: piece, count: count - some.count / 2)
      if got == 0 { break }
      some += UnsafeBufferPointer(start: piece, count: 2 * got)
    }
    return some
  }
}

/// Where two recordings first differ, in words: an array of a million samples says nothing.
func difference(_ left: [Int32], _ right: [Int32], within most: Int64 = 0) -> String? {
  for index in 0..<min(left.count, right.count) where abs(Int64(left[index]) - Int64(right[index])) > most {
    return "sample \(index) of \(left.count)/\(right.count): \(left[index]) and \(right[index])"
  }
  return left.count == right.count ? nil : "\(left.count) samples and \(right.count)"
}
