import CALSA
import CCurl
import CEBUR128
import CFLAC
import CFreeType
import CGPIOD
import CInput
import CJPEG
import CMPG123
import CMicroHTTPD
import COpus
import CPNG
import CSQLite
import CSSL
import CSoxr
import CVorbis
import CWebP
import CZ
import Testing

/// Each library of the distribution is found, compiles in Swift 6 mode, links and runs, those too that no room uses
/// yet. What is called is harmless everywhere: no device, no network.
@Suite("Every C library is there and callable")
struct LibrariesTests {
  @Test("sqlite3") func sqlite() { #expect(sqlite3_libversion_number() >= 3_040_000) }

  @Test("alsa") func alsa() throws { #expect(try text(snd_asoundlib_version()).hasPrefix("1.")) }

  @Test("libmicrohttpd") func microhttpd() throws { #expect(try text(MHD_get_version()).hasPrefix("0.9.")) }

  @Test("flac") func flac() throws {
    let decoder = try #require(FLAC__stream_decoder_new())
    #expect(FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_UNINITIALIZED)
    FLAC__stream_decoder_delete(decoder)
  }

  @Test("mpg123") func mpg123() throws {
    var code: Int32 = 0
    _ = mpg123_init()
    let decoder = try #require(mpg123_new(nil, &code))
    #expect(code == Int32(MPG123_OK.rawValue))
    mpg123_delete(decoder)
  }

  @Test("vorbis") func vorbis() {
    var file = OggVorbis_File()
    #expect(ov_fopen("/dev/null", &file) < 0)
  }

  @Test("opus") func opus() { #expect(op_test(nil, "this is no Opus", 15) != 0) }

  @Test("soxr") func soxr() throws { #expect(try text(soxr_version()).hasPrefix("libsoxr")) }

  @Test("ebur128") func ebur128() throws {
    var state = ebur128_init(2, 44_100, Int32(EBUR128_MODE_I.rawValue))
    #expect(state != nil)
    ebur128_destroy(&state)
  }

  @Test("freetype") func freetype() throws {
    var library: FT_Library?
    #expect(FT_Init_FreeType(&library) == 0)
    var version: (major: FT_Int, minor: FT_Int, patch: FT_Int) = (0, 0, 0)
    FT_Library_Version(library, &version.major, &version.minor, &version.patch)
    #expect(version.major == 2)
    #expect(FT_Done_FreeType(library) == 0)
  }

  @Test("zlib") func zlib() throws { #expect(try text(zlibVersion()).hasPrefix("1.")) }

  @Test("libjpeg") func jpeg() throws {
    var errors = jpeg_error_mgr()
    var decoder = jpeg_decompress_struct()
    decoder.err = jpeg_std_error(&errors)
    jpeg_CreateDecompress(&decoder, JPEG_LIB_VERSION, MemoryLayout<jpeg_decompress_struct>.stride)
    #expect(decoder.mem != nil)
    jpeg_destroy_decompress(&decoder)
  }

  @Test("libpng") func png() throws { #expect(try text(png_get_libpng_ver(nil)).hasPrefix("1.6.")) }

  @Test("libwebp") func webp() { #expect(WebPGetDecoderVersion() >= 0x010000) }

  /// Version 1 of its API on Debian 12, version 2 on Debian 13.
  @Test("libgpiod") func gpiod() throws { #expect(["1.", "2."].contains(try text(layby_gpiod_version()).prefix(2))) }

  /// Each of its functions that is asked for is found, and it can be set up without a device.
  @Test("libinput") func input() throws {
    try #require(layby_touch_load() == 1)
    let touch = try #require(layby_touch_open())
    #expect(layby_touch_descriptor(touch) >= 0)
    var finger = layby_finger()
    #expect(layby_touch_dispatch(touch) == 0)
    #expect(layby_touch_next(touch, &finger) == -1)
    layby_touch_close(touch)
  }

  @Test("curl") func curl() throws {
    try #require(layby_curl_load() == 1)
    #expect(try text(layby_curl_version()).hasPrefix("libcurl/"))
  }

  @Test("openssl") func openssl() throws {
    #expect(OpenSSL_version_num() >= 0x3000_0000)
    #expect(try text(OpenSSL_version(OPENSSL_VERSION)).hasPrefix("OpenSSL 3"))
    #expect(EVP_aes_256_gcm() != nil)
  }

  private func text(_ pointer: UnsafePointer<CChar>?) throws -> String { String(cString: try #require(pointer)) }
}
