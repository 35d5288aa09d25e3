import Audio
import Canvas
import Hardware
import Library
import Offline
import Panel
import Playback
import Rights
import Runtime
import Supervisor

extension SettingsTable {
  /// All settings of both files: what each room says that it obeys, in the sections in which people find it.
  static let all = SettingsTable(
    RuntimeSettings.settings + SupervisorSettings.settings + CanvasSettings.settings + HardwareSettings.settings
      + AudioSettings.settings + LibrarySettings.settings + PlaybackSettings.settings + OfflineSettings.settings
      + RightsSettings.settings + PanelSettings.settings, sections: sections)

  /// In the order in which they are explained. A section to which several rooms add says in which order its keys stand.
  private static let sections = [
    SettingsSection(.board, "board", "The board as a whole."),
    SettingsSection(.board, "encoder", "The knob that is turned, when it is wired to two GPIO lines."),
    SettingsSection(.board, "buttons", "Which GPIO line each button is wired to."),
    SettingsSection(.board, "gestures", "How long a long press is, and what buttons do beside a plain press."),
    SettingsSection(.board, "keys", "What the keys of keyboards, remotes and steering wheels do."),
    SettingsSection(
      .board, "lines", "How knob and buttons are wired to their GPIO lines.",
      order: ["bias", "active", "debounce", "give_way", "give_way_by"]),
    SettingsSection(.board, "inputs", "Keyboards, remotes and touch screens."),
    SettingsSection(
      .board, "panel", "The screen.",
      order: ["device", "size", "rotate", "diagonal", "font", "bold_font", "backlight", "ambient"]),
    SettingsSection(.board, "lights", "Lamps, and the car's lights."),
    SettingsSection(.board, "power", "The car's ignition."),
    SettingsSection(.board, "audio", "The sound device.", order: ["output", "buffer", "mixer"]),
    SettingsSection(
      .board, "paths", "Folders.", order: ["state", "run", "first_music", "music", "media", "volumes"]),
    SettingsSection(.board, "watchdog", "The hardware watchdog, which resets a board that hangs."),
    SettingsSection(.board, "sticks", "USB sticks."),
    RightsSettings.section,
    SettingsSection(.owner, "panel", "How the screen looks, and whether it speaks."),
    SettingsSection(.owner, "power", "When the board switches itself off, and what waits when the battery is low."),
    SettingsSection(
      .owner, "sound", "How loud the music is, and how it sounds.",
      order: [
        "start_volume", "max_volume", "volume_step", "ready_cue", "equaliser", "normaliser", "normaliser_preamp",
        "crossfade", "crossfade_in_albums",
      ]),
    SettingsSection(.owner, "playback", "How the music goes on."),
    SettingsSection(.owner, "sticks", "USB sticks."),
    SettingsSection(
      .owner, "kiosk", "A panel that strangers use. All of it counts only with `profile = kiosk` in `[panel]`."),
    SettingsSection(.owner, "log", "The log, which `layby log` shows."),
    SettingsSection(
      .owner, "network", "Which networks cost money, and how the player finds out whether the internet is there.",
      order: ["country", "mobile_is_metered", "metered", "unmetered", "probe", "probe_answer"]),
    SettingsSection(.owner, "clock", "What time it is."),
    SettingsSection(
      .owner, "offline", "Music that is fetched from a source and kept on the device.",
      order: [
        "limit", "reserve", "quality", "stream_quality", "at_once", "bandwidth", "proxy", "direct", "on_metered",
        "stream_on_metered", "needs_internet", "hours", "settling", "smart", "smart_on_wired",
      ]),
    SettingsSection(
      .owner, "flags", "What is new and may turn out to be a mistake; off gives the behaviour before it."),
    SettingsSection(
      .owner, "source NAME",
      """
      Where music is fetched from. Each source has a section of its own, with a name of letters and digits in the place \
      of NAME: `[source home]`. A source keeps its name for as long as it is the same, because its music is known by it.
      """),
  ]
}
