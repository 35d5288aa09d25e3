# Steps that run the tests with the compiler's own watchers. Each step builds what its suites need, and no more.

# The rooms in which threads meet; of some of them the suites in which they do: a rule or a filter has no threads, and
# would only take its time.
threaded_rooms="RuntimeTests StoreTests SupervisorTests HardwareTests RemoteTests AudioTests PlaybackTests"
threaded='^(Runtime|Store|Supervisor|Hardware|Remote)Tests\.'
threaded+='|^AudioTests\.(SoundPath|SoundShape|CommandStorm|DeepBuffer|SteadyPlaying|Ring|Feeder|Mixer|Output|Heap)Tests'
threaded+='|^PlaybackTests\.(Transport|Session|PlaceFile|LoudnessPart|Loudness)[A-Za-z]*Tests'

step_thread() {
  toolchain_can -sanitize=thread || not_run "this toolchain has no thread sanitizer"
  local clang seen=$top/.build/thread/mutex-for-tsan.so
  export LAYBY_SUITES=$threaded_rooms
  clang=$(dirname "$(realpath "$(command -v swiftc)")")/clang
  mkdir -p "$top/.build/thread"
  "$clang" -shared -fPIC -O1 -Wall -Werror "$top/Tests/lib/mutex-for-tsan.c" -o "$seen" ||
    not_run "this toolchain's clang cannot build what the sanitizer needs to see Mutex"
  swift build --build-tests --disable-xctest --scratch-path "$top/.build/thread" --sanitize=thread
  LD_PRELOAD=$seen swift_test thread --skip-build --sanitize=thread --filter "$threaded"
}

# Rooms that touch memory by address: C libraries, the kernel's messages, pixels, samples, foreign files. Tags and
# playlists are the fuzzers', which are built with this sanitizer; SQLite and the whole program are `address-all`'s.
unsafe_rooms="RuntimeTests LibrariesTests CiphersTests HTTPTests HardwareTests CanvasTests AudioTests"

# The walks over the feeder take long here, and the thread sanitizer has them.
step_address() {
  export LAYBY_SUITES="$unsafe_rooms decode NonsenseDecoder"
  address_tests address --skip '^AudioTests\.(DeepBuffer|Feeder|CommandStorm|SteadyPlaying|LowPower)Tests'
}

# The composer takes minutes in this build; the album has a step of its own.
step_address_all() { address_tests address-all --skip '^HouseTests\.|DemoAlbumTests'; }

address_tests() { # SCRATCHFOLDER ARGUMENT...
  toolchain_can -sanitize=address || not_run "this toolchain has no address sanitizer"
  # The language's runtime keeps what it made for ever; leaks are looked for by the tests' own tear-down.
  ASAN_OPTIONS=detect_leaks=0 swift_test "$1" --sanitize=address "${@:2}"
}
