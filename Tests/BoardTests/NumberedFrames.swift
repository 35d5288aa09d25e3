/// Frames that carry their number in the upper halves of their two samples, as `Tests/lib/rewinds.c` plays them: what a
/// recording of them lacks, repeats or has that was taken back.
struct NumberedFrames {
  struct Run: Equatable {
    var first: UInt32
    var count: Int
  }

  /// What a recording is worth. Silence between two frames and frames that are missing are a computer that stood still;
  /// one that was taken back and is heard all the same is what may not be.
  struct Verdict: Equatable {
    var heard = 0
    /// Taken back, or never written.
    var wrong = 0
    var repeated = 0
    var missing = 0
    var silent = 0

    var isExact: Bool { self == Verdict(heard: heard) }
  }

  /// In ascending order.
  var runs: [Run]

  var count: Int { runs.reduce(0) { $0 + $1.count } }

  /// `run FIRST COUNT` in the lines of what the program said.
  init(said: String) {
    runs = said.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "run", let first = UInt32(words[1]), let count = Int(words[2]) else {
        return nil
      }
      return Run(first: first, count: count)
    }
  }

  /// `bytes`: two samples of `width` bytes a frame.
  func judge(_ bytes: [UInt8], width: Int = 2) -> Verdict {
    var starts: [Int] = []
    var sum = 0
    for run in runs {
      starts.append(sum)
      sum += run.count
    }
    var verdict = Verdict()
    // Which of all the frames must come next, and in which run that is.
    var next = 0
    var here = 0
    var silence = 0
    bytes.withUnsafeBytes { bytes in
      for frame in 0..<bytes.count / (2 * width) {
        let right = (2 * frame + 2) * width
        func upper(_ end: Int) -> UInt32 { UInt32(bytes[end - 1]) << 8 | UInt32(bytes[end - 2]) }
        let number = upper(right) << 16 | upper(right - width)
        if number == 0 {
          silence += 1
          continue
        }
        if here < runs.count, next == starts[here] + runs[here].count { here += 1 }
        if here < runs.count, number == runs[here].first + UInt32(next - starts[here]) {
          if verdict.heard > 0 { verdict.silent += silence }
          verdict.heard += 1
          next += 1
        } else if let (run, place) = find(number, starts) {
          if place < next {
            verdict.repeated += 1
          } else {
            verdict.missing += place - next
            verdict.heard += 1
            next = place + 1
            here = run
          }
        } else {
          verdict.wrong += 1
        }
        silence = 0
      }
    }
    verdict.missing += sum - next
    return verdict
  }

  private func find(_ number: UInt32, _ starts: [Int]) -> (run: Int, place: Int)? {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].first <= number { low = middle + 1 } else { high = middle }
    }
    guard low > 0, Int(number - runs[low - 1].first) < runs[low - 1].count else { return nil }
    return (low - 1, starts[low - 1] + Int(number - runs[low - 1].first))
  }
}
