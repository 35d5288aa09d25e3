# A step that breaks one line after another and asks the unit tests whether they see it. broken.awk finds the lines that
# can be broken so that they still compile; a number of them is chosen in each room that ships, by the commit, so that
# every commit tries others. All are built at once: a line is only broken while its number stands in a file that each
# process reads when it first comes by such a line.
#   LAYBY_BROKEN=3         three lines a room instead of one      LAYBY_BROKEN_ROOMS="Playback Store"   only in these
#   LAYBY_SEED=abc         the lines of another commit
# Tests/lib/broken.same lists those of which breaking changes nothing that could be tested, and why.
#   LAYBY_BROKEN_AT="Sources/Playback/Queue/Order.swift:48 ..."   these lines

step_broken() {
  local work=$top/.build/broken number=0 missed=0 caught=0 room path line what new own
  broken_token=$$-$RANDOM
  mkdir -p "$work"
  broken_temp=$(mktemp -d "${TMPDIR:-/tmp}/layby-b.XXXXXX")
  trap 'broken_end; rm -rf "$broken_temp"' EXIT
  broken_choose "$work"
  broken_build "$work"
  : >"$work/table"
  while IFS=$'\t' read -r number room path line what new; do
    own=$(broken_suites "$room")
    if broken_try "$work" "$number" "$own" "$broken_beside" 600; then
      broken_try "$work" "$number" "$(broken_above "$room")" "$broken_beside|$own" 900 || broken_by="$broken_by (not its own)"
    fi
    if [ -n "$broken_by" ]; then caught=$((caught + 1)); else broken_by="NOT CAUGHT" missed=$((missed + 1)); fi
    printf '%-10s %s:%s, %s\n           %s\n' "$room" "${path#Sources/"$room"/}" "$line" "$what" "$broken_by" |
      tee -a "$work/table"
  done <"$work/chosen"
  say "$((caught + missed)) lines were broken, $caught were caught, $missed were not"
  [ $missed = 0 ]
}

# Read the sources, other libraries, a machine that is not booted here.
broken_beside='^(House|Libraries|Board|VirtualBoard)Tests\.'

# Those in which a line of the room should be missed.
broken_suites() { # ROOM
  case $1 in
    DecoderProtocol | ForeignDecoder) echo '^AudioTests\.(Foreign|Hanging|Nonsense|Sandbox)Tests|^ProgramTests\.ForeignFileTests' ;;
    Ciphers) echo '^(Ciphers|Offline)Tests\.' ;;
    Compression) echo '^(Canvas|Library)Tests\.' ;;
    Files) echo '^(Library|Offline)Tests\.' ;;
    Formats) echo '^(Formats|Audio|Library)Tests\.' ;;
    layby) echo '^(Wiring|Program|PowerCut)Tests\.' ;;
    *) echo "^$1Tests\." ;;
  esac
}

# Those of the rooms and programs that use it.
broken_above() { # ROOM
  local programs='Wiring|Program|PowerCut|Bench'
  case $1 in
    layby) echo '^BenchTests\.' ;;
    Supervisor | Panel | Remote) echo "^($programs)Tests\." ;;
    Hardware) echo "^(Panel|$programs)Tests\." ;;
    HTTP | Ciphers | Services | Offline) echo "^(Offline|Week|Remote|$programs)Tests\." ;;
    Playback) echo "^(Store|Panel|Remote|$programs)Tests\." ;;
    *) echo . ;;
  esac
}

# Writes $work/chosen: NUMBER ROOM PATH LINE WHAT NEWLINE, with tabs between.
broken_choose() { # WORK
  local seed rooms most=${LAYBY_BROKEN:-1}
  [ -z "${LAYBY_BROKEN_AT:-}" ] || most=${LAYBY_BROKEN:-0}
  rooms=${LAYBY_BROKEN_ROOMS:-Runtime DecoderProtocol Supervisor Store HTTP Hardware Compression Pictures Canvas Ciphers Files Formats \
    Audio Library Playback Services Offline Panel Remote layby ForeignDecoder}
  seed=${LAYBY_SEED:-$(git -C "$top" rev-parse --short=12 HEAD)}
  say "The seed is $seed."
  # shellcheck disable=SC2086  # one word a room
  (cd "$top" && find $(printf 'Sources/%s ' $rooms) -name '*.swift' | LC_ALL=C sort | LC_ALL=C xargs awk -v "seed=$seed" \
    -f "$top/Tests/lib/broken.awk") | LC_ALL=C sort >"$1/lines"
  # No two of one file; what the compiler did not take before is not tried again.
  touch "$1/refused"
  awk -F '\t' -v most="$most" -v at=" ${LAYBY_BROKEN_AT:-} " '
    FILENAME ~ /refused$/ { refused[$0] = 1; next }
    FILENAME ~ /same$/ { if (!/^#/) same[$1 "\t" $2 "\t" $3] = 1; next }
    ($3 "\t" $6) in refused || ($3 "\t" $5 "\t" $7) in same { next }
    index(at, " " $3 ":" $4 " ") ? ++tried[$3 ":" $4] == 1 : ++tried[$3] == 1 && ++taken[$2] <= most {
      chosen = $2 "\t" $3 "\t" $4 "\t" $5 "\t"
      new = $6
      number++
      gsub(/@N@/, number, new)
      print number "\t" chosen new
    }' "$1/refused" "$top/Tests/lib/broken.same" "$1/lines" | LC_ALL=C sort -t "$(printf '\t')" -k2,2 -s >"$1/chosen"
  [ -s "$1/chosen" ] || die 64 "no line that can be broken"
}

# A line that the compiler does not take broken is whole again, and remembered.
broken_build() { # WORK
  local turn
  for turn in 1 2 3; do
    broken_write "$1"
    say "Building a copy with $(wc -l <"$1/chosen") lines that can be broken ..."
    ! swift build --package-path "$1/copy" --scratch-path "$1/build" --build-tests --disable-xctest -Xswiftc -gnone \
      >"$1/build.log" 2>&1 || return 0
    sed -n 's|^.*/copy/\(Sources/[^:]*\):\([0-9]*\):[0-9]*: error: .*|\1\t\2|p' "$1/build.log" | sort -u >"$1/errors"
    [ -s "$1/errors" ] || break
    awk -F '\t' -v work="$1" '
      FILENAME ~ /errors$/ { error[$1 "\t" $2] = 1; next }
      ($3 "\t" $4) in error {
        print "The compiler does not take " $3 ":" $4 ": " $6
        line = $6
        gsub("brokenOnPurpose\\(" $1, "brokenOnPurpose(@N@", line)
        print $3 "\t" line >>(work "/refused")
        next
      }
      { print >(work "/chosen.new") }' "$1/errors" "$1/chosen"
    mv "$1/chosen.new" "$1/chosen"
  done
  tail -n 30 "$1/build.log"
  die 70 "the copy cannot be built"
}

# Puts the chosen lines into the copy, and what they ask into each room. What is as it was there is not touched, so that
# it need not be compiled again.
broken_write() { # WORK
  local room path file new=$1/new
  rm -rf "$new"
  copy_sources "$new"
  cut -f 3 "$1/chosen" | sort -u | while read -r path; do
    awk -F '\t' -v "path=$path" '
      FILENAME ~ /chosen$/ { if ($3 == path) line[$4] = $6; next }
      FNR in line { print line[FNR]; next }
      { print }' "$1/chosen" "$top/$path" >"$new/$path"
  done
  cut -f 2 "$1/chosen" | sort -u | while read -r room; do broken_question "$1" "$room"; done
  mkdir -p "$1/copy"
  (cd "$1/copy" && find . -type f -print0) | while IFS= read -r -d '' file; do
    [ -e "$new/$file" ] || rm "$1/copy/$file"
  done
  (cd "$new" && find . -type f -print0) | while IFS= read -r -d '' file; do
    cmp -s "$new/$file" "$1/copy/$file" || { mkdir -p "$1/copy/${file%/*}" && cp "$new/$file" "$1/copy/$file"; }
  done
}

# Reads without the heap and without a lock, and leaves no descriptor open: tests count these.
broken_question() { # WORK ROOM
  local file=$1/new/Sources/$2/BrokenOnPurpose.swift
  cat >"$file" <<END
import Glibc

private let number: Int = {
  let file = open("$1/number", O_RDONLY | O_CLOEXEC)
  var bytes: UInt64 = 0
  guard file >= 0, read(file, &bytes, 8) > 0 else { return 0 }
  close(file)
  var number = 0
  while bytes & 0xFF >= 0x30 {
    number = number * 10 + Int(bytes & 0xFF) - 0x30
    bytes >>= 8
  }
  return number
}()

@discardableResult func brokenOnPurpose(_ line: Int) -> Bool { line == number }

func brokenOnPurpose(_ line: Int, _ condition: Bool, is value: Bool) -> Bool { line == number ? value : condition }

package func broken$2() { brokenOnPurpose(0) }
END
  case $2 in ForeignDecoder | DecoderProtocol) ;; *) return 0 ;; esac
  # The decoder shuts itself in before it comes by such a line, and can open nothing then.
  awk -v "call=broken$2()" '/^    let refused = / { print call } { print }' "$1/new/Sources/ForeignDecoder/DecoderProcess.swift" >"$1/main"
  cp "$1/main" "$1/new/Sources/ForeignDecoder/DecoderProcess.swift"
}

# Fails when tests see that line NUMBER is broken, and then broken_by says which. A test on a busy machine may go red by
# itself: it counts when it is red again alone, and green when nothing is broken.
broken_try() { # WORK NUMBER FILTER SKIP SECONDS
  local skip=$4 shaky by id
  for shaky in 1 2 3 4 5; do
    ! broken_run "$1" "$2" "$3" "$skip" "$5" || return 0
    by=$broken_by id=$broken_id
    # A crash or an end that does not come has no name; then all of them are asked whether they do that by themselves.
    if { [ -z "$id" ] || ! broken_run "$1" "$2" "$id" '^$' "$5"; } && broken_run "$1" 0 "${id:-$3}" '^$' "$5"; then
      broken_by=$by
      return 1
    fi
    say "   (red by itself: $by)"
    skip="$skip${id:+|$id}"
  done
  broken_by=
}

# Runs tests with line NUMBER broken until one fails: which is in broken_by, and in broken_id as a pattern.
broken_run() { # WORK NUMBER FILTER SKIP SECONDS
  local pid code=0 output=$1/output end=$((SECONDS + $5)) wide
  wide=$((3 * $(nproc)))
  broken_by='' broken_id=''
  echo "$2" >"$1/number"
  rm -f "$1/events"
  (cd "$1/copy" && BROKEN_RUN=$broken_token TMPDIR=$broken_temp exec "$1/build/debug/LaybyPackageTests.xctest" \
    --testing-library swift-testing --filter "$3" --skip "$4" "$width_option" "$wide" \
    --event-stream-output-path "$1/events" --event-stream-version 0) >"$output" 2>&1 </dev/null &
  pid=$!
  while kill -0 $pid 2>/dev/null; do
    sleep 0.3
    ! broken_first "$1" || break
    [ $SECONDS -lt $end ] || { broken_by="takes longer than $5 s" && break; }
  done
  [ -z "$broken_by" ] || broken_end
  wait $pid || code=$?
  broken_end
  [ -n "$broken_by" ] || [ $code = 0 ] || broken_first "$1" ||
    broken_by="ended with code $code: $(LC_ALL=C grep -aE 'Fatal error|rror:' "$output" | head -n 1 | cut -c1-160)"
  [ -z "$broken_by" ]
  # The shell would say of each process that it was killed.
} 2>/dev/null

# The first test that failed; not one whose failure is expected.
broken_first() { # WORK
  local event
  [ -e "$1/events" ] || return 1
  event=$(LC_ALL=C grep -a '"kind":"issueRecorded"' "$1/events" | grep -av '"isKnown":true' | head -n 1) || true
  [ -n "$event" ] || return 1
  event=$(sed -nE 's/.*"testID":"([^"]*)".*/\1/p' <<<"$event" | sed 's|\\/|/|g')
  broken_by="${event:-an issue outside of any test}"
  broken_by=${broken_by%/*.swift:*}
  [ -z "$event" ] || broken_id=$(sed 's/(.*//; s/[].*+?|^$[]/\\&/g; s/^/^/; s/$/\\(/' <<<"$event")
}

# Ends what a run left behind: all that inherited its mark.
broken_end() {
  local left turn
  for turn in 1 2 3 4 5; do
    left=$(grep -laF "BROKEN_RUN=$broken_token" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3 || true)
    [ -n "$left" ] || break
    # shellcheck disable=SC2086  # one word a process
    kill -KILL $left 2>/dev/null || true
    sleep 0.1
  done
  rm -rf "${broken_temp:?}"/*
}
