# Steps that run the tests with the compiler's own watchers.

# The suites in which threads meet.
threaded='^(Runtime|Store|Supervisor|Hardware|Audio|Playback|Remote|Layby)Tests\.'

step_thread() {
  toolchain_can -sanitize=thread || not_run "this toolchain has no thread sanitizer"
  # Up to 6.0 the sanitizer does not understand the standard library's own lock, and sees races everywhere.
  case $(swift --version 2>/dev/null) in
    *"version 6.0"*) not_run "this toolchain's thread sanitizer does not understand Mutex; Swift 6.1 or newer does" ;;
  esac
  TSAN_OPTIONS=halt_on_error=0:exitcode=66 swift_test thread --sanitize=thread --filter "$threaded"
}

step_address() {
  toolchain_can -sanitize=address || not_run "this toolchain has no address sanitizer"
  # The language's runtime keeps what it made for ever; leaks are looked for by the tests' own tear-down.
  ASAN_OPTIONS=detect_leaks=0 swift_test address --sanitize=address --skip '^HouseTests\.'
}
