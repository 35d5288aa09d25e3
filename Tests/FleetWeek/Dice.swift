import TestSupport

extension SeededGenerator {
  mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<max(count, 1), using: &self) == 0 }

  mutating func between(_ low: Double, _ high: Double) -> Double { Double.random(in: low...high, using: &self) }

  mutating func among<Value>(_ values: [Value], else other: Value) -> Value {
    values.randomElement(using: &self) ?? other
  }
}
