import TestSupport
import Testing

@testable import Offline

@Suite("The budget")
struct BudgetTests {
  static func key(_ number: Int) -> MediaKey { MediaKey(source: "shop", item: "\(number)", quality: .high) }

  @Test("whatever is claimed, kept and let go, what is claimed is its sum, and claims end at the limit")
  func walk() {
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var budget = Budget(limit: 1_000)
      var model: [MediaKey: Int64] = [:]
      for step in 0..<400 {
        let key = Self.key(Int.random(in: 0..<8, using: &random))
        let bytes = Int64.random(in: -10...400, using: &random)
        if step % 3 == 0 {
          budget.set(key, to: bytes)
          model[key] = max(bytes, 0)
        } else {
          let others = model.reduce(0) { $0 + ($1.key == key ? 0 : $1.value) }
          let fits = bytes <= model[key] ?? 0 || others + bytes <= 1_000
          #expect(budget.claim(bytes, for: key) == fits, "seed \(seed), step \(step)")
          if fits { model[key] = max(model[key] ?? 0, bytes) }
        }
        #expect(budget.claimed == model.values.reduce(0, +), "seed \(seed), step \(step)")
        #expect(budget.room == max(1_000 - budget.claimed, 0))
      }
    }
  }

  @Test("sizes that are nonsense are too much, and end nothing")
  func nonsense() {
    var budget = Budget(limit: 1_000)
    #expect(!budget.claim(.max, for: Self.key(1)) && budget.claimed == 0)
    for number in 0..<20_000 { budget.set(Self.key(number), to: .max) }
    #expect(budget.claimed > 0 && budget.room == 0)
  }
}
