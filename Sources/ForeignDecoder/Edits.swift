internal import CAV

/// The edit list of an MP4 file, as far as music has one: leave out what the encoder put before the music, and end where
/// the music ends. It says the end in another unit, milliseconds as a rule, so that the library, which follows it to the
/// letter, would lose or add samples there; the times of the packets themselves say it exactly. So an edit list that
/// means no more than that is read here and followed by ourselves.
struct Edits {
  /// In ticks of the stream: what is left out before the music, and where the music ends, both in all of the sound.
  let lead: Int64
  let end: Int64

  /// `edited` shows what is heard, `whole` all that there is. Nil when the list does something else, or there is none.
  init?(edited: (first: Int64?, duration: Int64), whole: Container, noted: Int64?) {
    let all = whole.stream.pointee.duration
    guard let first = edited.first, first < 0, first > -(1 << 32), all > 0, all < 1 << 52, edited.duration > 0 else {
      return nil
    }
    let base = whole.stream.pointee.time_base
    // The coarsest unit in use is 1/600 s; a little more than one of it is allowed.
    let grain = Int64(max(base.den, 1)) / Int64(max(base.num, 1)) / 500 + 1
    lead = -first
    if let noted, abs(noted - edited.duration) <= grain {
      end = lead + noted
    } else if abs(all - lead - edited.duration) <= grain {
      end = all
    } else {
      return nil
    }
  }
}
