import Audio
import Playback
import Runtime

/// How the music sounds until the next start: equaliser, normaliser and crossfade. What is to last is a setting.
@MainLoop
package final class SoundSettings {
  private let transport: Transport

  package init(_ transport: Transport) { self.transport = transport }

  package var current: EffectsPlan { transport.sounding }

  package func set(_ equaliser: EqualiserCurve) { transport.sounding.equaliser = equaliser }

  /// Without a preamp it stays what it was; in decibels.
  package func setNormaliser(_ mode: NormaliserMode, preamp: Int?) {
    var wanted = transport.sounding
    wanted.normaliser = mode
    if let preamp { wanted.preamp = preamp }
    transport.sounding = wanted
  }

  /// In one go: what plays begins anew in each new shape.
  package func setCrossfade(_ time: Duration, inAlbums: Bool) {
    var wanted = transport.sounding
    wanted.crossfadesInAlbums = inAlbums
    wanted.crossfade = time
    transport.sounding = wanted
  }
}
