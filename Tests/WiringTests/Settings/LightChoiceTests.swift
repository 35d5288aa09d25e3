import Hardware
import Runtime
import Testing

@Suite("Lights in board.conf")
struct LightChoiceTests {
  struct Case: Sendable {
    let text: String
    var light: LightChoice?
  }

  static let cases = [
    Case(text: "none", light: LightChoice.none), Case(text: "auto", light: .auto),
    Case(text: "10-0045", light: .named("10-0045")), Case(text: "rpi_backlight", light: .named("rpi_backlight")),
    Case(text: "line:LIGHT", light: .line(.named("LIGHT"))),
    Case(text: "line:gpiochip0:18", light: .line(.at(chip: "gpiochip0", offset: 18))),
    Case(text: "pwm:0/1", light: .pwm(chip: 0, channel: 1)),
    Case(text: "pwm:"), Case(text: "pwm:0"), Case(text: "pwm:0/"), Case(text: "pwm:0/1/2"), Case(text: "pwm:-1/0"),
    Case(text: "pwm:1000/0"), Case(text: "pwm:../0"),
    // What would lead out of the kernel's folder, and what is no line.
    Case(text: "../../etc"), Case(text: ".."), Case(text: "."), Case(text: "a b"), Case(text: "a/b"), Case(text: "ü"),
    Case(text: "line:"), Case(text: "line:none"), Case(text: "line:a/b"),
    Case(text: String(repeating: "x", count: 256)),
  ]

  @Test("a light is a name, a line, or one of two words, and is written as it was read", arguments: cases)
  func read(each: Case) {
    let type = Setting<LightChoice>.panelBacklight.type
    #expect(type.parse(each.text) == each.light)
    if let light = each.light { #expect(type.format(light) == each.text) }
  }

  @Test("a PWM channel may be named with its chip's whole name")
  func pwm() {
    #expect(Setting<LightChoice>.panelBacklight.type.parse("pwm:pwmchip2/0") == .pwm(chip: 2, channel: 0))
  }

  @Test("a lamp is not guessed")
  func lamp() {
    #expect(Setting<LightChoice>.powerLight.type.parse("auto") == nil)
    #expect(Setting<LightChoice>.powerLight.type.parse("led0") == .named("led0"))
  }
}
