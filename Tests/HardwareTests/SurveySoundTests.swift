import Hardware
import Runtime
import Testing

@Suite("Survey of the sound cards")
struct SurveySoundTests {
  private func sound(_ output: SoundOutput, _ prepare: (MadeUpMachine) -> Void) -> Finding? {
    let machine = MadeUpMachine()
    prepare(machine)
    return machine.survey(sound: output)["sound"]
  }

  private static func twoCards(_ machine: MadeUpMachine) {
    machine.addCard(0, "PCH            ", "HDA-Intel - HDA Intel PCH")
    machine.addCard(1, "DAC", "USB-Audio - Good - better DAC")
  }

  static let wishes: [(String, Finding.Verdict, String)] = [
    ("default", .works, "card 0 (PCH): HDA Intel PCH"), ("hw:1", .works, "card 1 (DAC): Good - better DAC"),
    ("hw:1,0", .works, "card 1 (DAC)"), ("plughw:DAC", .works, "card 1 (DAC)"),
    ("hw:CARD=DAC,DEV=0", .works, "card 1 (DAC)"), ("hw:DEV=0,CARD=PCH", .works, "card 0 (PCH)"),
    ("hw:2", .missing, "card 0 (PCH), card 1 (DAC)"), ("hw:CARD=Gone", .missing, "alsa:hw:CARD=Gone is asked for"),
    ("pulse", .works, "card 0 (PCH)"),
  ]

  @Test("the card that the board's file names is the one judged", arguments: wishes)
  func named(device: String, verdict: Finding.Verdict, part: String) {
    let finding = sound(.alsa(device: device), Self.twoCards)
    #expect(finding?.verdict == verdict)
    #expect(finding?.seen.contains(part) == true, "\(finding?.seen ?? "")")
  }

  @Test("cards that cannot play, or are made of software, are not heard")
  func silent() {
    let finding = sound(.alsa(device: "default")) { machine in
      machine.addCard(0, "Loopback", "Loopback - Loopback")
      machine.addCard(1, "Webcam", "USB-Audio - Webcam", playing: false)
    }
    #expect(finding?.verdict == .missing && finding?.stopsTheMusic == true)
    #expect(finding?.seen.contains("Webcam") == true)
  }

  @Test("when the default is a card that cannot be heard, the one that can is named")
  func notTheDefault() {
    let finding = sound(.alsa(device: "default")) { machine in
      machine.addCard(0, "Webcam", "USB-Audio - Webcam", playing: false)
      machine.addCard(1, "DAC", "USB-Audio - Good DAC")
    }
    #expect(finding?.verdict == .limited)
    #expect(finding?.advice == "write output = alsa:hw:CARD=DAC under [audio] in the board's file")
  }

  @Test("a file or nowhere is not heard", arguments: [SoundOutput.null, .file(FilePath("/tmp/x.wav"))])
  func elsewhere(output: SoundOutput) {
    #expect(sound(output, Self.twoCards)?.stopsTheMusic == true)
  }

  @Test("a card that its user may not open is forbidden")
  func closed() {
    let finding = sound(.alsa(device: "hw:0")) { $0.addCard(0, "DAC", "USB-Audio - Good DAC", mode: 0o660) }
    #expect(finding?.verdict == .forbidden && finding?.stopsTheMusic == true)
    #expect(finding?.seen.contains("/dev/snd/pcmC0D0p") == true)
  }
}
