/// One link of the chain. Frames are left and right side by side, 1.0 is full scale; more may come and go between
/// links. Nothing in `process` allocates.
protocol Effect: AnyObject {
  /// How many frames later a sound comes out than it went in.
  var latency: Int { get }
  func process(_ frames: UnsafeMutablePointer<SIMD2<Float>>, count: Int)
  /// As if nothing had ever been heard.
  func reset()
}
