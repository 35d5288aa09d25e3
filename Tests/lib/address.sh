# The address sanitizer over the suites.

# Rooms that touch memory by address: C libraries, the kernel's messages, pixels, samples, foreign files. Tags and
# playlists are the fuzzers'; SQLite and the whole program are address-all's.
unsafe_rooms="RuntimeTests LibrariesTests CiphersTests HTTPTests HardwareTests PicturesTests CanvasTests AudioTests"

# The walks over the feeder take long here, and the thread sanitizer has them.
address_left_out='^AudioTests\.(DeepBuffer|Feeder|CommandStorm|SteadyPlaying|LowPower)Tests'

step_address() {
  toolchain_can -sanitize=address || not_run "this toolchain has no address sanitizer"
  export LAYBY_TARGETS="$unsafe_rooms decode NonsenseDecoder"
  build_tests address --sanitize=address
  # The language's runtime keeps what it made for ever; leaks are looked for by the tests' own tear-down.
  ASAN_OPTIONS=detect_leaks=0 run_tests address --skip "$address_left_out"
}

# Every suite, in a build without optimisation. The composer takes minutes in this build; the album has a step of its
# own.
step_address_all() {
  toolchain_can -sanitize=address || not_run "this toolchain has no address sanitizer"
  build_tests address-all --sanitize=address
  ASAN_OPTIONS=detect_leaks=0 run_tests address-all --skip '^HouseTests\.|DemoAlbumTests'
}
