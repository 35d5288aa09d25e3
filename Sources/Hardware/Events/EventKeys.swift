internal import CLinux
import Runtime

/// What the keys and wheels of keyboards, remotes and USB knobs stand for unless somebody says otherwise: one table.
/// Letters mean nothing, because a keyboard may be there for something else.
package enum EventKeys {
  package struct Row: Sendable {
    package let key: KeyName
    package let meaning: KeyMeaning
  }

  package static let keys: [Row] = [
    rows(.button(.play), KEY_PLAYPAUSE, KEY_PLAY, KEY_PAUSE, KEY_PLAYCD, KEY_PAUSECD, KEY_SPACE),
    rows(.button(.next), KEY_NEXTSONG, KEY_NEXT),
    rows(.button(.previous), KEY_PREVIOUSSONG, KEY_PREVIOUS),
    rows(.button(.forward), KEY_FASTFORWARD),
    rows(.button(.rewind), KEY_REWIND),
    rows(.button(.louder), KEY_VOLUMEUP),
    rows(.button(.quieter), KEY_VOLUMEDOWN),
    rows(.button(.mute), KEY_MUTE),
    rows(.button(.back), KEY_BACK, KEY_EXIT, KEY_ESC),
    rows(.button(.home), KEY_HOMEPAGE, KEY_HOME),
    rows(.button(.help), KEY_HELP),
    rows(.button(.power), KEY_POWER),
    rows(.button(.knob), KEY_ENTER, KEY_KPENTER, KEY_OK, KEY_SELECT),
    rows(.button(.up), KEY_UP),
    rows(.button(.down), KEY_DOWN),
    rows(.button(.pageUp), KEY_PAGEUP),
    rows(.button(.pageDown), KEY_PAGEDOWN),
    rows(.turn(1), KEY_RIGHT),
    rows(.turn(-1), KEY_LEFT),
  ].flatMap { $0 }

  private static func rows(_ meaning: KeyMeaning, _ codes: Int32...) -> [Row] {
    codes.compactMap { KeyName(code: Int($0)) }.map { Row(key: $0, meaning: meaning) }
  }

  /// Wheels that turn the knob by as many detents as they say. Read from the kernel itself, as keys are: libinput, which
  /// is asked for fingers only, drops REL_DIAL altogether.
  package static let wheels: [UInt16] = [UInt16(REL_WHEEL), UInt16(REL_DIAL)]
}
