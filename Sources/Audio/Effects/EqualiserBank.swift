/// The filters of one curve with their state. Plain memory that its owner frees.
struct Bank {
  /// A filter, its numbers twice over so that left and right go in one step.
  private struct Section {
    var b0: SIMD2<Double>
    var b1: SIMD2<Double>
    var b2: SIMD2<Double>
    var a1: SIMD2<Double>
    var a2: SIMD2<Double>
    var first = SIMD2<Double>.zero
    var second = SIMD2<Double>.zero

    init(_ filter: Biquad) {
      b0 = .init(repeating: filter.b0)
      b1 = .init(repeating: filter.b1)
      b2 = .init(repeating: filter.b2)
      a1 = .init(repeating: filter.a1)
      a2 = .init(repeating: filter.a2)
    }
  }

  private let sections = UnsafeMutablePointer<Section>.allocate(capacity: EqualiserCurve.most)
  private let count: Int

  init(_ bands: [EqualiserBand], rate: Double, keepsIdle: Bool) {
    var count = 0
    for band in bands.prefix(EqualiserCurve.most) where keepsIdle || band.decibels != 0 {
      guard let filter = Biquad(band, rate: rate) else { continue }
      (sections + count).initialize(to: Section(filter))
      count += 1
    }
    self.count = count
  }

  func free() { sections.deallocate() }

  func forget() {
    for section in 0..<count {
      sections[section].first = .zero
      sections[section].second = .zero
    }
  }

  /// All filters for one frame, then the next: one filter's answer to the last frame need not be waited for while the
  /// others work.
  @_noLocks
  func run(_ frames: UnsafeMutablePointer<SIMD2<Float>>, count: Int) {
    let sections = sections
    let filters = self.count
    if filters == 0 { return }
    for frame in 0..<count {
      let sample = frames[frame]
      var sound = SIMD2<Double>(Double(sample.x), Double(sample.y))
      for filter in 0..<filters {
        let section = sections + filter
        let out = section.pointee.b0 * sound + section.pointee.first
        section.pointee.first =
          section.pointee.b1 * sound - section.pointee.a1 * out + section.pointee.second
        section.pointee.second = section.pointee.b2 * sound - section.pointee.a2 * out
        sound = out
      }
      frames[frame] = SIMD2<Float>(Float(sound.x), Float(sound.y))
    }
    settle()
  }

  /// What dies away in silence gets so small that processors count it by a slow way; nobody hears it long before.
  private func settle() {
    for section in 0..<count {
      sections[section].first = Self.audible(sections[section].first)
      sections[section].second = Self.audible(sections[section].second)
    }
  }

  private static func audible(_ state: SIMD2<Double>) -> SIMD2<Double> {
    let least = 1e-30
    return SIMD2(abs(state.x) < least ? 0 : state.x, abs(state.y) < least ? 0 : state.y)
  }
}
