internal import CMPG123
import Glibc
import Runtime

/// Owns one handle of the library.
struct MPG123Library: ~Copyable {
  let handle: OpaquePointer

  /// A tag larger than any reasonable cover picture is not read into memory. `guessing`: it seeks by what the bytes of a
  /// frame are on average, a little beside the place, and need not read all that stands before it. `ignoringInfo`: what
  /// the encoder's first frame says of the whole file is wrong.
  init(skippingTag: Bool, gapless: Bool = true, guessing: Bool = false, ignoringInfo: Bool = false) throws(Fault) {
    guard mpg123_init() == MPG123_OK.rawValue, let handle = mpg123_new(nil, nil) else {
      throw Fault(.passing, "A-132", "no memory to decode MP3")
    }
    self.handle = handle
    let skip = skippingTag ? MPG123_SKIP_ID3V2.rawValue : 0
    let trim = gapless ? MPG123_GAPLESS.rawValue : 0
    let guess = guessing ? MPG123_FUZZY.rawValue : 0
    let ignore = ignoringInfo ? MPG123_IGNORE_INFOFRAME.rawValue : 0
    set(MPG123_FLAGS, Int(MPG123_QUIET.rawValue | trim | skip | guess | ignore))
    // Damage of this length is passed over; a longer one ends the track rather than searching a whole film.
    set(MPG123_RESYNC_LIMIT, 1 << 20)
    // Layer III borrows bits from frames before: enough of them are decoded before the frame that was sought.
    set(MPG123_PREFRAMES, 32)
    mpg123_format_none(handle)
    var rates: UnsafePointer<Int>?
    var count = 0
    mpg123_rates(&rates, &count)
    for index in 0..<count {
      guard let rate = rates?[index] else { continue }
      mpg123_format(
        handle, rate, Int32(MPG123_MONO.rawValue | MPG123_STEREO.rawValue), Int32(MPG123_ENC_SIGNED_16.rawValue))
    }
  }

  private borrowing func set(_ parameter: mpg123_parms, _ value: Int) {
    mpg123_param2(handle, Int32(parameter.rawValue), value, 0)
  }

  /// From here on it reads all headers on its way, as it does without `guessing`.
  borrowing func stopGuessing() { set(MPG123_REMOVE_FLAGS, Int(MPG123_FUZZY.rawValue)) }

  /// It knows which frame it is at.
  var isPlaceSure: Bool {
    var value = 0
    var unused = 0.0
    let answer = mpg123_getstate2(handle, Int32(MPG123_ACCURATE.rawValue), &value, &unused)
    return answer == MPG123_OK.rawValue && value != 0
  }

  deinit { mpg123_delete(handle) }

  /// `bytes` must live as long as the handle reads.
  borrowing func open(_ bytes: MP3Bytes) -> Bool {
    let replaced = mpg123_replace_reader_handle(
      handle,
      { data, buffer, count in
        guard let bytes = MP3Bytes.from(data), let buffer else { return -1 }
        return bytes.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
      },
      { data, offset, whence in MP3Bytes.from(data)?.seek(Int64(offset), whence) ?? -1 }, nil)
    guard replaced == MPG123_OK.rawValue else { return false }
    return mpg123_open_handle(handle, Unmanaged.passUnretained(bytes).toOpaque()) == MPG123_OK.rawValue
  }
}
