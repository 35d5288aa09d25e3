import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Equaliser curve")
struct EqualiserCurveTests {
  @Test(
    "text becomes bands",
    arguments: [
      (
        "60:+3 250:-2/1.4 8000:+4",
        [EqualiserBand(.peak, 60, 3), .init(.peak, 250, -2, q: 1.4), .init(.peak, 8_000, 4)], 0.0
      ),
      ("pre:-4.5, low80:+4 high8000:-2/0.5", [.init(.lowShelf, 80, 4), .init(.highShelf, 8_000, -2, q: 0.5)], -4.5),
      ("  1000:0  ", [.init(.peak, 1_000, 0)], 0),
      ("pre:-3", [], -3),
      ("OFF", [], 0), ("flat", [], 0),
      ("Bass", [.init(.lowShelf, 110, 6)], -6),
    ])
  func parsing(text: String, bands: [EqualiserBand], preamp: Double) throws {
    #expect(try EqualiserCurve(parsing: text) == EqualiserCurve(bands, preamp: preamp))
  }

  @Test(
    "what is no curve is refused, with what was expected",
    arguments: [
      "", " ", "bas", "60", "60:", ":3", "60:+3:2", "60:+3/", "60:+3/1/2", "60:+13", "60:nan", "60:0x1p2", "60:1e1",
      "9:+1", "30000:+1", "60:+3/0.05", "60:+3/20", "pre:-99", "pre:1 pre:2", "off 60:+3", "mid80:+4", "low:+4",
      "60:+3 60:+3 60:+3 60:+3 60:+3 60:+3 60:+3 60:+3 60:+3 60:+3 60:+3",
      "60:+" + String(repeating: "0", count: 99) + "1",
    ])
  func refusal(text: String) throws {
    let fault = try faultOf { () throws(Fault) in try EqualiserCurve(parsing: text) }
    #expect(fault.code == "A-203" && fault.kind == .malformed && fault.message.contains("60:+3 250:-2/1.4"))
    #expect(fault.message.contains("small-speakers"))
  }

  @Test("a curve's description is the same curve, for presets and a walk of others", arguments: [UInt64(1), 2, 3])
  func roundTrip(seed: UInt64) throws {
    for (name, curve) in EqualiserCurve.presets {
      #expect(curve.description == name)
      #expect(try EqualiserCurve(parsing: name) == curve)
    }
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let bands = (0..<Int.random(in: 0...10, using: &generator)).map { _ -> EqualiserBand in
        let kinds = [EqualiserBand.Kind.peak, .lowShelf, .highShelf]
        return EqualiserBand(
          kinds[Int.random(in: 0..<3, using: &generator)], .random(in: 10...24_000, using: &generator).rounded(),
          (Double.random(in: -120...120, using: &generator).rounded()) / 10,
          q: Bool.random(using: &generator) ? nil : (Double.random(in: 10...1_000, using: &generator).rounded()) / 100)
      }
      let curve = EqualiserCurve(bands, preamp: Double(Int.random(in: -240...120, using: &generator)) / 10)
      #expect(try EqualiserCurve(parsing: curve.description) == curve, "seed \(seed): \(curve)")
    }
  }

  @Test("no preset makes a tone louder than it was, and each but the first does something")
  func presets() {
    for (name, curve) in EqualiserCurve.presets {
      let loudest = (0..<200).map { curve.decibels(at: 10 * pow(2_000, Double($0) / 199), rate: 44_100) }.max() ?? 0
      #expect(loudest <= 0.05 && loudest > -3, "\(name): \(loudest) dB")
      #expect(curve.isFlat == (name == "off"))
      #expect(Set(EqualiserCurve.presets.map(\.name)).count == EqualiserCurve.presets.count)
    }
  }

}
