import Runtime

/// Something to measure beside others.
struct Contender {
  let name: String
  let measure: () throws(Fault) -> Double
}

/// Contenders in turns, A B C A B C ..., so that whatever else the machine does disturbs all of them alike.
enum Rounds {
  /// One spread a contender, in their order. The first round warms caches and is thrown away.
  static func run(_ contenders: [Contender], rounds: Int, unit: Unit) throws(Fault) -> [Spread?] {
    var values = contenders.map { _ in [Double]() }
    for round in 0...rounds {
      var line: [String] = []
      for (place, contender) in contenders.enumerated() {
        let value = try contender.measure()
        if round > 0 { values[place].append(value) }
        line.append("\(contender.name) \(decimal(value, places: unit.decimals))")
      }
      Patience.tell(
        "\(round == 0 ? "warming up" : "round \(round) of \(rounds)"), \(unit.rawValue): "
          + line.joined(separator: ", "))
    }
    return values.map { Spread($0) }
  }
}
