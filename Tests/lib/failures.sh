# What a failed step tells first: the test, the file and line, what it was given (a seed), what was wrong, and the command
# that repeats it.

tell_failures() { # STEP LOG
  local test place values wrong found=no repeat
  repeat="Tests/run --step $1"
  case $1 in board | weeks) repeat="LAYBY_TURN=$(commits) $repeat" ;; esac
  while IFS=$'\t' read -r test place wrong values; do
    found=yes
    say "FAILED $1: $test"
    say "   at ${place:-?}${values:+, with $values}"
    [ -z "${wrong:1}" ] || say "   ${wrong:1:2400}"
    say "   again: $repeat$(only_suites_of "$test" "$place")"
  done < <(failed_tests "$2" | head -n 8)
  [ $found = no ] || return 0
  say "FAILED $1:"
  { LC_ALL=C grep -aE 'error: |^ERROR: |Fatal error|Test unit written|not the whole|FAILED|stayed green|NOT CAUGHT' "$2" |
    sort -u | head -n 5 || true; } | cut -c1-300 | sed 's/^/   /'
  say "   again: $repeat"
}

# "test<TAB>File.swift:line<TAB>what was wrong<TAB>values" of each test that recorded an issue, the first issue of each.
# What the test itself says of it stands in the lines below that begin with an arrow, and what was said then in those
# below it: the last ten, with a bar between.
failed_tests() { # LOG
  LC_ALL=C sed -nE -e 's/^[^[:alnum:]]* Test (.*) recorded an issue( with ([0-9]+ arguments? )?(.*))? at ([A-Za-z0-9_+]+\.swift:[0-9]+):[0-9]+:? *(.*)/\1\t\5\t-\6\t\4/p; t' \
    -e $'s/^\xe2\x86\xb3 +/\t/p; t' -e $'s/^\xe2(\x97\x87|\x9c\x94|\x9c\x98).*/\t\tend/p; t' -e 's/\t/ /g; s/^/\t\t/p' "$1" |
    awk -F '\t' '
      $1 == "" && $2 == "" && $3 == "end" { isSaid = 0; next }
      $1 == "" && $2 == "" { if (isFirst && isSaid) said[count++] = substr($3, 1, 200); next }
      $1 == "" { if (isFirst) wrong = wrong ": " $2; isSaid = 1; next }
      { tell(); isFirst = !seen[$1]++; test = $1; place = $2; wrong = $3; values = $4; count = 0; isSaid = 1 }
      function tell(  at) {
        if (!isFirst) return
        for (at = count > 10 ? count - 10 : 0; at < count; at++) wrong = wrong " | " said[at]
        print test "\t" place "\t" wrong "\t" values
        isFirst = 0
      }
      END { tell() }'
}

# The suites of the file in which the test is written; nothing when it cannot be told.
only_suites_of() { # TEST PLACE
  local name=$1 file suites
  name=${name#\"} name=${name%\"} name=${name%()}
  file=$(cd "$top/Tests" && grep -rlF --include='*.swift' -e "\"$name\"" -e "func $name(" . | head -n 1) || true
  [ -n "$file" ] || file=$(cd "$top/Tests" && find . -name "${2%%:*}" | head -n 1)
  [ -n "$file" ] || return 0
  suites=$(sed -nE 's/^(@Suite.* )?(final )?(struct|class|actor|enum|extension) ([A-Za-z0-9]*Tests).*/\4/p' "$top/Tests/$file" |
    sort -u | paste -sd'|')
  [ -z "$suites" ] || printf " --only '%s'" "$(say "$file" | cut -d/ -f2)\\.($suites)"
}
