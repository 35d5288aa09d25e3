# Which part of the long proofs this commit's turn is, and when each of them last ran whole.

# Ten commits in a row have ten turns, so what is cut into tenths is seen whole by them. LAYBY_TURN=1187 repeats the
# samples of the commit with that number.
turn() { say $(($(commits) % 10)); }

# How many commits there are up to this one; for a clone without its history a number made of the hash.
commits() {
  if [ -n "${LAYBY_TURN:-}" ]; then
    say "$LAYBY_TURN"
  elif [ "$(git -C "$top" rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
    git -C "$top" rev-list --count HEAD
  else
    say $((16#$(commit 7)))
  fi
}

# The steps of which each commit has one.
steps_in_turns() {
  local row name budget limit when
  for row in "${steps[@]}"; do
    read -r name budget limit when <<<"$row"
    [ "$when" != turns ] || say "$name"
  done
}

step_in_turn() {
  local turners
  mapfile -t turners < <(steps_in_turns)
  say "${turners[$(($(commits) % ${#turners[@]}))]}"
}

commit() { # DIGITS
  local hash
  hash=$(git -C "$top" rev-parse HEAD 2>/dev/null) || hash=0000000000000000000000000000000000000000
  say "${hash:0:$1}"
}

# Those of the words whose place is this turn's.
in_turn() { # WORD...
  local word at=0 now
  now=$(turn)
  for word in "$@"; do
    [ $((at % 10)) != "$now" ] || say "$word"
    at=$((at + 1))
  done
}

# The same for a step that takes turns with others: a third of the words, so that its next three turns see all of them.
in_third_turn() { # WORD...
  local word at=0 now
  now=$(($(commits) / $(steps_in_turns | wc -l) % 3))
  for word in "$@"; do
    [ $((at % 3)) != "$now" ] || say "$word"
    at=$((at + 1))
  done
}

# One line a run: step, commit, time, seconds, verdict, last words. It belongs to this machine, not to the sources.
proofs=${LAYBY_BUILD:-$top/.build}/proofs

note_proof() { # STEP SECONDS VERDICT WORDS
  local dirty=
  mkdir -p "${proofs%/*}"
  [ -z "$(git -C "$top" status --porcelain 2>/dev/null)" ] || dirty=+
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$(commit 10)$dirty" "$(date +%Y-%m-%dT%H:%M)" "$2" "$3" \
    "$(printf '%s' "$4" | tr '\t\r' '  ' | cut -c1-100)" >>"$proofs"
}

# The last run of each step that only --all has.
show_proofs() {
  local row name budget limit when
  say "Long proofs, last run on this machine (commit+ had changes that were not committed):"
  for row in "${steps[@]}"; do
    read -r name budget limit when <<<"$row"
    [ "$when" = all ] || continue
    { cat "$proofs" 2>/dev/null || true; } | awk -F '\t' -v name="$name" '
      $1 == name { found = $2 "  " $3 "  " $4 " s  " $5 "  " $6 }
      END { printf "  %-14s %s\n", name, found == "" ? "never" : found }'
  done
}
