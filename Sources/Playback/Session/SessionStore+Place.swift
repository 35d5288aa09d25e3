import Runtime

/// Where the music is, saved by the store's own clock: it asks the sound path, which answers on any thread, and the
/// main loop sleeps on.
extension SessionStore {
  /// With the time a save takes, a power cut costs less than five seconds of position.
  package static let savesEvery: Duration = .milliseconds(4_400)

  /// What moves a place that was saved.
  package struct Course: Sendable {
    /// Where that place has come to; nil when something else is heard, and then whoever plays will save it.
    package var now: @Sendable (SavedPlace) -> SavedPlace?
    /// Told when a save of the clock's fails, and when the next one succeeds.
    package var told: @Sendable (Fault?) -> Void

    package init(now: @escaping @Sendable (SavedPlace) -> SavedPlace?, told: @escaping @Sendable (Fault?) -> Void) {
      self.now = now
      self.told = told
    }
  }

  /// Saves `place`, and from then on, every now and then, where `course` has brought it. Without one it stays.
  package func savePlace(_ place: SavedPlace, course: Course? = nil) throws(Fault) {
    guard places != nil else { throw Self.notOpen }
    self.course = course
    if course == nil {
      hold()
    } else if clock == nil {
      clock = Task(executorPreference: loop) { await self.saveNowAndThen() }
    }
    lastPlace = place
    try places?.save(place)
  }

  /// Nothing moves.
  func hold() {
    course = nil
    clock?.cancel()
    clock = nil
  }

  private func saveNowAndThen() async {
    var hasFailed = false
    while await loop.sleep(for: Self.savesEvery) {
      // What has not moved is saved already, unless that failed.
      guard let course, let place = course.now(lastPlace), place != lastPlace || hasFailed else { continue }
      do throws(Fault) {
        try places?.save(place)
        lastPlace = place
        if hasFailed { course.told(nil) }
        hasFailed = false
      } catch {
        if !hasFailed { course.told(error) }
        hasFailed = true
      }
    }
  }
}
