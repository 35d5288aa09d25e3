internal import CALSA
import Runtime

/// Something that makes a device softer by itself. Its calls may wait for a bus.
protocol LoudnessControl: AnyObject {
  /// Finds it anew. A fault when there is none, or no scale.
  func open() throws(Fault) -> MixerScale
  func set(step: Int) throws(Fault)
  func close()
}

/// A control on its way to the thread that will use it.
package struct MixerControl: @unchecked Sendable {  // handed on once, before its thread starts
  let control: any LoudnessControl
}

extension SoundOutput {
  /// Nil when there can be none. Whether there is one shows when it is opened.
  package func mixer(_ choice: MixerChoice) -> MixerControl? {
    guard case .alsa(let device) = self, choice != .none else { return nil }
    return MixerControl(control: HardwareMixer(device: device, choice: choice))
  }
}

/// A sound card's volume by ALSA's simple mixer. Used by one thread.
final class HardwareMixer: LoudnessControl {
  private let card: String
  private let choice: MixerChoice
  private var mixer: OpaquePointer?
  private var element: OpaquePointer?

  /// What the volume of a card's main way out is called, the likeliest first.
  private static let names = ["Master", "Digital", "PCM", "Headphone", "Speaker", "Playback"]
  /// A control with more steps is finer than anybody hears.
  private static let mostSteps = 4_096

  init(device: String, choice: MixerChoice) {
    card = MixerScale.card(of: device)
    self.choice = choice
    layby_alsa_be_silent()
  }

  deinit { close() }

  func open() throws(Fault) -> MixerScale {
    close()
    var opened: OpaquePointer?
    guard snd_mixer_open(&opened, 0) == 0, let opened else {
      throw Fault(.passing, "A-164", "no memory for the controls of \(card)")
    }
    mixer = opened
    var answer = snd_mixer_attach(opened, card)
    if answer >= 0 { answer = snd_mixer_selem_register(opened, nil, nil) }
    if answer >= 0 { answer = snd_mixer_load(opened) }
    guard answer >= 0 else {
      close()
      throw .system("A-165", doing: "open the controls of the sound card \(card)", errno: -answer)
    }
    var found: [(name: String, element: OpaquePointer, scale: MixerScale)] = []
    var next = snd_mixer_first_elem(opened)
    while let element = next {
      if let scale = Self.scale(element), let name = snd_mixer_selem_get_name(element) {
        found.append((String(cString: name), element, scale))
      }
      next = snd_mixer_elem_next(element)
    }
    let names = found.map(\.name)
    guard let chosen = Self.choose(names, by: choice) else {
      close()
      let are = names.isEmpty ? "none has a scale" : "those with a scale are \(names.joined(separator: ", "))"
      throw Fault(.unsupported, "A-166", "the sound card \(card) has no such volume control; \(are)")
    }
    element = found[chosen].element
    if snd_mixer_selem_has_playback_switch(found[chosen].element) == 1 {
      snd_mixer_selem_set_playback_switch_all(found[chosen].element, 1)
    }
    return found[chosen].scale
  }

  static func choose(_ names: [String], by choice: MixerChoice) -> Int? {
    switch choice {
    case .none: nil
    case .named(let name): names.firstIndex(of: name)
    case .auto: Self.names.lazy.compactMap { names.firstIndex(of: $0) }.first ?? names.indices.first
    }
  }

  /// Nil when it has no volume for playing, or no decibels.
  private static func scale(_ element: OpaquePointer) -> MixerScale? {
    guard snd_mixer_selem_is_active(element) == 1, snd_mixer_selem_has_playback_volume(element) == 1 else {
      return nil
    }
    var least = 0
    var most = 0
    guard snd_mixer_selem_get_playback_volume_range(element, &least, &most) == 0, most > least,
      most - least < mostSteps
    else { return nil }
    var decibels: [Int] = []
    for step in least...most {
      var value = 0
      guard snd_mixer_selem_ask_playback_vol_dB(element, step, &value) == 0 else { return nil }
      decibels.append(value)
    }
    return MixerScale(first: least, decibels: decibels)
  }

  func set(step: Int) throws(Fault) {
    guard let element else { throw Fault(.missing, "A-167", "the controls of \(card) are not open") }
    let answer = snd_mixer_selem_set_playback_volume_all(element, step)
    guard answer >= 0 else {
      throw .system("A-168", doing: "set the volume of the sound card \(card)", errno: -answer)
    }
  }

  func close() {
    if let mixer { snd_mixer_close(mixer) }
    mixer = nil
    element = nil
  }
}
