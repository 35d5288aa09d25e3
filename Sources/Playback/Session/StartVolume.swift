import Runtime

/// How loud it is after a start.
package enum StartVolume: Equatable, Sendable {
  case last
  case percent(Int)
}

extension SettingType<StartVolume> {
  static var startVolume: Self {
    SettingType(
      expected: "a whole number from 0 to 100 (percent), or last", choices: ["last"],
      form: ["type": "whole", "minimum": 0, "maximum": 100, "unit": "percent", "choices": ["last"]],
      parse: { text in
        if text == "last" { return .last }
        return wholeNumber(text).flatMap { 0...100 ~= $0 ? .percent($0) : nil }
      },
      format: { volume in if case .percent(let percent) = volume { "\(percent)" } else { "last" } })
  }
}
