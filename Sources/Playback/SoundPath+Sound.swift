import Audio
import Formats
import Library
import Runtime

/// The real sound path, in the words of the queue.
extension SoundPath: Sound {
  package var bell: Int32 { newsBell.number }

  package func start(_ entry: PlayQueue.Entry, at place: TrackPlace, generation: UInt32, hint: LoudnessHint) {
    start(entry.id.number, entry.path, at: place, generation: generation, hint: hint)
  }

  package func follow(_ entry: PlayQueue.Entry?, hint: LoudnessHint) {
    if let entry { follow(entry.id.number, entry.path, hint: hint) } else { followNothing() }
  }

  package func hint(_ hint: LoudnessHint, for entry: PlayQueue.Entry) { self.hint(hint, for: entry.id.number) }
}

extension SoundPath {
  package func takeNews() -> SoundNews? {
    nextNews().map { news in
      switch news {
      case .decode(.opened(let entry, let generation, let info)):
        .opened(EntryID(number: entry), generation: generation, info)
      case .decode(.finished(let entry, _, let damages)):
        .finished(EntryID(number: entry), damages: damages)
      case .decode(.failed(let entry, let generation, let fault)):
        .failed(EntryID(number: entry), fault, generation: generation)
      case .heard(let entry, let generation): .heard(EntryID(number: entry), generation: generation)
      case .drained(let generation): .drained(generation: generation)
      case .deviceLost(let fault): deviceMayComeBack ? .deviceLost(fault) : .outputFailed(fault)
      case .deviceBack: .deviceBack
      case .unfit(let generation): .unfit(generation: generation)
      case .closed: .closed
      }
    }
  }
}
