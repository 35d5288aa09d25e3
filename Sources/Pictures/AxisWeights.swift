/// How the pixels along one side of a picture become fewer, or more. When they become fewer, each counts by how much of
/// it lies in the new one: nothing is lost and nothing counts twice. When they become more, what lies between two is
/// mixed of both. The weights of each new pixel are 1 together.
struct AxisWeights {
  /// Of the new pixel: the first old one that counts, and where its weights begin.
  private(set) var first: [Int] = []
  private(set) var start: [Int] = []
  private(set) var weights: [Float] = []
  let from: Int
  let to: Int

  /// Both at least 1.
  init(from: Int, to: Int) {
    self.from = from
    self.to = to
    first.reserveCapacity(to)
    start.reserveCapacity(to + 1)
    for new in 0..<to {
      start.append(weights.count)
      if from >= to { addArea(new) } else { addMix(new) }
    }
    start.append(weights.count)
  }

  /// In parts of which an old pixel has `to` and a new one `from`, so that all are whole numbers.
  private mutating func addArea(_ new: Int) {
    let (begin, end) = (new * from, (new + 1) * from)
    first.append(begin / to)
    for old in (begin / to)..<((end + to - 1) / to) {
      let common = min(end, (old + 1) * to) - max(begin, old * to)
      weights.append(Float(common) / Float(from))
    }
  }

  /// By the distance of the middles; at the ends the outermost stands for what is beyond it.
  private mutating func addMix(_ new: Int) {
    let place = (Double(new) + 0.5) * Double(from) / Double(to) - 0.5
    let lower = min(max(0, Int(place.rounded(.down))), from - 1)
    let part = min(max(0, place - Double(lower)), 1)
    first.append(lower)
    guard part > 0, lower + 1 < from else { return weights.append(1) }
    weights += [Float(1 - part), Float(part)]
  }

  /// The weights of one new pixel, with the first old one that they are for.
  func of(_ new: Int) -> (first: Int, weights: ArraySlice<Float>) { (first[new], weights[start[new]..<start[new + 1]]) }

  /// Which new pixels each old one goes into, and how much of it.
  var byOld: [[(new: Int, weight: Float)]] {
    var all = [[(new: Int, weight: Float)]](repeating: [], count: from)
    for new in 0..<to {
      let (first, weights) = of(new)
      for (offset, weight) in weights.enumerated() { all[first + offset].append((new, weight)) }
    }
    return all
  }
}
