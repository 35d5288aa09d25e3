import Application
import Audio
import Panel
import Playback
import Runtime

/// The settings that count: what the files say, and over it what the owner chose on the panel. Lives on the main loop.
/// A choice is on the disk before it counts, so after a power cut nothing is shown as chosen that is not known. Who must
/// act when a setting changes asks with `follow`.
@MainLoop
final class ChosenSettings {
  /// What counts now, with the choices in it.
  private(set) var settings: Settings
  /// What the owner's file says, also in safe mode, when it does not count.
  let owned: Settings
  /// Chosen, and true from the next start on: the parts that run were made with the old value.
  private(set) var waiting: Set<SettingName> = []
  /// What is on and off by the owner's word, and by that of services.
  private(set) var flags: Flags
  /// All choices, those too that do not count in safe mode.
  private var choices: Choices
  private var followers: [@MainLoop (SettingName) -> Void] = []

  /// `read` is what the files say, as far as it counts. In safe mode only choices that guard something count. `words`:
  /// what services said of flags when they were last asked.
  init(_ read: Settings, _ choices: Choices, owned: Settings, isSafe: Bool, _ words: [Flags.Word] = []) {
    (self.choices, self.owned) = (choices, owned)
    settings = (isSafe ? choices.onlyGuarding() : choices).applied(to: read)
    flags = Flags(settings)
    flags.hear(words)
  }

  /// What services say of flags now. Followers are told of each that is switched by it.
  func hear(_ words: [Flags.Word]) {
    let before = flags
    flags.hear(words)
    for flag in Flag.allCases where flags.isOn(flag) != before.isOn(flag) {
      for follower in followers { follower(Setting<Bool>.flag(flag).name) }
    }
  }

  /// Is called after each choice that counts at once, in the order in which followers came. `settings` has the new value
  /// by then. A follower stays until the program ends.
  func follow(_ follower: @escaping @MainLoop (SettingName) -> Void) { followers.append(follower) }

  /// Keeps the choice in the state folder; then it counts, at once or from the next start on.
  func choose(_ name: SettingName, _ text: String, in storage: Storage) async throws(Fault) {
    var next = choices
    guard next.choose(name, text, over: owned) else {
      let expected = choices.table.choosable(name).map { "expected \($0.expected)" } ?? "there is no such key"
      throw Fault(.malformed, "C-127", "\(name) = \(shownPlain(text)): \(expected)")
    }
    var after = settings
    next.apply(name, to: &after, over: owned)
    // Without a PIN nobody could leave the kiosk at the panel.
    if after.isKiosk, after[.kioskPIN] == nil {
      throw Fault(.malformed, "C-128", "choose a PIN under \"kiosk\" first, or nobody gets out of it here")
    }
    let (kept, state) = (next, storage.path)
    try await storage.loop.perform { () -> Result<Void, Fault> in
      do throws(Fault) { return .success(try OwnersChoices.keep(kept, in: state)) } catch { return .failure(error) }
    }.get()
    choices = next
    settings = after
    guard choices.table.choosable(name)?.appliesAtOnce == true else {
      waiting.insert(name)
      return
    }
    for follower in followers { follower(name) }
  }

  /// The settings as they would be with this choice; neither kept nor told. Nil where it cannot be chosen.
  func trying(_ name: SettingName, _ text: String) -> Settings? {
    var (next, after) = (choices, settings)
    guard next.choose(name, text, over: owned) else { return nil }
    next.apply(name, to: &after, over: owned)
    return after
  }
}

/// The choices, with the disk that keeps them and the sound that tries them out.
@MainLoop
final class StoredChoices: ChoiceStore {
  private let chosen: ChosenSettings
  private let storage: Storage
  private let sound: SoundAssembly

  init(_ chosen: ChosenSettings, _ storage: Storage, _ sound: SoundAssembly) {
    (self.chosen, self.storage, self.sound) = (chosen, storage, sound)
  }

  var settings: Settings { chosen.settings }
  var owned: Settings { chosen.owned }
  var waiting: Set<SettingName> { chosen.waiting }

  func choose(_ name: SettingName, _ text: String) async throws(Fault) {
    try await chosen.choose(name, text, in: storage)
  }

  func tryOut(_ name: SettingName, _ text: String) { sound.sound(as: name, text) }
}
