import Formats
import Glibc

/// How loud an album is by what is known of each of its tracks, without hearing any of them again: their powers,
/// weighed by how long they last. What is 10 LU softer than all together does not count, as R 128 says of moments; a
/// track's own number has left out its soft moments already.
package enum AlbumLoudness {
  /// In LUFS; nil when no track is loud enough to count.
  package static func of(_ tracks: [MeasuredLoudness]) -> Double? {
    let loud = tracks.compactMap { track -> (lufs: Double, seconds: Double)? in
      guard let lufs = track.lufs, lufs.isFinite, lufs > -70, track.seconds > 0, track.seconds.isFinite else {
        return nil
      }
      return (lufs, track.seconds)
    }
    guard let all = mean(loud) else { return nil }
    return mean(loud.filter { $0.lufs > all - 10 })
  }

  /// Of all tracks; nil when one of them is not known, since that may be the one.
  package static func truePeak(of tracks: [MeasuredLoudness]) -> Double? {
    let peaks = tracks.compactMap(\.truePeak)
    return peaks.count == tracks.count ? peaks.max() : nil
  }

  private static func mean(_ tracks: [(lufs: Double, seconds: Double)]) -> Double? {
    let seconds = tracks.reduce(0) { $0 + $1.seconds }
    guard seconds > 0 else { return nil }
    return 10 * log10(tracks.reduce(0) { $0 + pow(10, $1.lufs / 10) * $1.seconds } / seconds)
  }
}
