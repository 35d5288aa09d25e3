# Steps that run the tests with the compiler's own watchers.

# The suites in which threads meet: a rule or a filter has none, and would only take its time.
threaded='^(Runtime|Store|Supervisor|Hardware|Remote|Layby)Tests\.'
threaded+='|^AudioTests\.(SoundPath|SoundShape|CommandStorm|DeepBuffer|SteadyPlaying|Ring|Feeder|Mixer|Output|Heap)Tests'
threaded+='|^PlaybackTests\.(Transport|Session|PlaceFile|LoudnessPart|Loudness)[A-Za-z]*Tests'

step_thread() {
  toolchain_can -sanitize=thread || not_run "this toolchain has no thread sanitizer"
  local clang seen=$top/.build/thread/mutex-for-tsan.so
  clang=$(dirname "$(realpath "$(command -v swiftc)")")/clang
  mkdir -p "$top/.build/thread"
  "$clang" -shared -fPIC -O1 -Wall -Werror "$top/Tests/lib/mutex-for-tsan.c" -o "$seen" ||
    not_run "this toolchain's clang cannot build what the sanitizer needs to see Mutex"
  swift build --build-tests --disable-xctest --scratch-path "$top/.build/thread" --sanitize=thread
  LD_PRELOAD=$seen swift_test thread --skip-build --sanitize=thread --filter "$threaded"
}

# The composer takes minutes in this build; the album has a step of its own. What starts the whole program again and
# again, and what cuts its power, takes longest and is sampled by the suites whose files come from outside.
sampled='^(PowerCut|House)Tests\.|^ProgramTests\.ProgramTests/(Away|CommandLine|Device|End|FullDisk|LongQueue|Playlist|Settings|Start|StateFolder|Thread)'

step_address() { address_tests "$sampled|DemoAlbumTests"; }

step_address_all() { address_tests '^HouseTests\.|DemoAlbumTests'; }

address_tests() { # SUITES THAT ARE LEFT OUT
  toolchain_can -sanitize=address || not_run "this toolchain has no address sanitizer"
  # The language's runtime keeps what it made for ever; leaks are looked for by the tests' own tear-down.
  ASAN_OPTIONS=detect_leaks=0 swift_test address --sanitize=address --skip "$1"
}
