# The thread sanitizer over the suites in which threads meet.

# A rule or a filter has no threads and would only take its time; of Audio and Playback these suites have.
threaded='^(Runtime|Supervisor|Hardware)Tests\.'
threaded+='|^AudioTests\.(SoundPath|SoundShape|CommandStorm|DeepBuffer|SteadyPlaying|Ring|Feeder|Mixer|Output|Heap)Tests'
threaded+='|^PlaybackTests\.(Transport|Session|PlaceFile|LoudnessPart|Loudness)[A-Za-z]*Tests'

step_thread() { thread_tests "RuntimeTests SupervisorTests HardwareTests AudioTests PlaybackTests" "$threaded"; }

# Remote's and Store's bring Offline, HTTP and Services along, which takes a minute and a half to compile.
step_thread_all() {
  thread_tests "RuntimeTests StoreTests SupervisorTests HardwareTests RemoteTests AudioTests PlaybackTests" \
    "$threaded|^(Store|Remote)Tests\\."
}

thread_tests() { # TARGETS FILTER
  toolchain_can -sanitize=thread || not_run "this toolchain has no thread sanitizer"
  local clang seen=$top/.build/thread/mutex-for-tsan.so
  export LAYBY_TARGETS=$1
  clang=$(dirname "$(realpath "$(command -v swiftc)")")/clang
  mkdir -p "$top/.build/thread"
  "$clang" -shared -fPIC -O1 -Wall -Werror "$top/Tests/lib/mutex-for-tsan.c" -o "$seen" ||
    not_run "this toolchain's clang cannot build what the sanitizer needs to see Mutex"
  build_tests thread --sanitize=thread
  LD_PRELOAD=$seen run_tests thread --filter "$2"
}
