import Hardware
import Panel
import Runtime
import Testing

@Suite("Light sensors in board.conf")
struct AmbientChoiceTests {
  @Test(
    "a sensor is a name or one of two words, and is written as it was read",
    arguments: [
      ("auto", .auto), ("none", AmbientChoice.none), ("bh1750", .named("bh1750")),
      ("iio:device0", .named("iio:device0")),
      ("../x", nil), (".", nil), ("a/b", nil), ("a b", nil), ("", nil), ("ü", nil),
    ] as [(String, AmbientChoice?)])
  func read(text: String, choice: AmbientChoice?) {
    let type = Setting<AmbientChoice>.ambientSensor.type
    #expect(type.parse(text) == choice)
    if let choice { #expect(type.format(choice) == text) }
    #expect(type.parse(String(repeating: "x", count: 65)) == nil)
  }
}

@Suite("Voices in layby.conf")
struct VoiceTests {
  @Test(
    "a voice is a name, so that none is an option or a path of the program that reads aloud",
    arguments: [
      ("auto", .some(nil)), ("de", "de"), ("de+f3", "de+f3"), ("mb-de5", "mb-de5"), ("en_US", "en_US"),
      ("-h", nil), ("--path=/x", nil), ("../x", nil), ("/etc/passwd", nil), ("a b", nil), ("", nil), ("1de", nil),
    ] as [(String, String??)])
  func read(text: String, voice: String??) {
    let type = Setting<String?>.speechVoice.type
    #expect(type.parse(text) == voice)
    #expect(type.parse(String(repeating: "x", count: 41)) == nil)
  }
}
