/// The noise that is added before bits are cut: two throws that are alike but for their sign, so that its mean is 0, it
/// is spread over two steps like a triangle, and the error no longer depends on the music. One value for each output:
/// its state goes on from helping to helping, without asking the heap.
struct DitherNoise {
  private var state: UInt64

  init(seed: UInt64 = 0x9E37_79B9_7F4A_7C15) { state = seed | 1 }

  /// For a cut of `shift` bits, 1 to 24: from -(2^shift - 1) to 2^shift - 1.
  @inline(__always)
  mutating func next(_ shift: Int32) -> Int32 {
    // Marsaglia's xorshift*: the upper bits are the good ones.
    state ^= state &>> 12
    state ^= state &<< 25
    state ^= state &>> 27
    let throwing = state &* 0x2545_F491_4F6C_DD1D
    let down = Int32(truncatingIfNeeded: throwing &>> 40) & (1 &<< shift &- 1)
    let up = Int32(truncatingIfNeeded: throwing &>> 16) & (1 &<< shift &- 1)
    return up &- down
  }
}
