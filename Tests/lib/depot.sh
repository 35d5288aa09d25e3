# A depot that answers, asked by schemathesis: everything that openapi.json describes, with what it allows and what it does
# not. What is answered must be described, and nothing may fail.
#   LAYBY_EXAMPLES=500 Tests/run --step depot-api    more of each; LAYBY_SEED=N repeats what failed
step_depot_api() {
  local state venv=$top/.build/schemathesis pid code=0 url tries=0
  install_packages build demo test
  build_release depot compose
  if [ ! -x "$venv/bin/schemathesis" ]; then
    python3 -m venv --system-site-packages "$venv" || not_run "python3 has no venv here"
    "$venv/bin/pip" install --quiet 'schemathesis>=4,<5' || not_run "schemathesis could not be installed"
  fi
  state=$(mktemp -d)
  trap "kill \$(cat '$state/pid') 2>/dev/null; rm -rf '$state'" EXIT
  "$(program depot)" --demo --state "$state/demo" --port 0 --rate 100000 >"$state/out" 2>"$state/log" </dev/null &
  pid=$!
  echo $pid >"$state/pid"
  until grep -q 'trust = ' "$state/out"; do
    kill -0 $pid 2>/dev/null && [ $((tries += 1)) -lt 600 ] || { cat "$state/log" && return 1; }
    sleep 0.2
  done
  url=$(sed -n 's/^listens at //p' "$state/out")
  export DEPOT_URL=$url DEPOT_ACCOUNT=demo
  DEPOT_PASSWORD=$(sed -n 's/.*with the password //p' "$state/out")
  export DEPOT_PASSWORD
  # First as a device does it, from signing in to a licence.
  "$venv/bin/python" "$top/Tests/lib/depot-api.py" >"$state/device" || { cat "$state/device" && return 1; }
  # What is right by the description need not be so here: a token of letters is one, and still nobody's.
  (
    cd "$state"
    SCHEMATHESIS_HOOKS=$top/Tests/lib/depot-api.py "$venv/bin/schemathesis" run "$url/openapi.json" --no-color \
      --phases coverage,fuzzing --exclude-checks positive_data_acceptance \
      --max-examples "${LAYBY_EXAMPLES:-100}" ${LAYBY_SEED:+--seed "$LAYBY_SEED"}
  ) || code=$?
  ! grep -E 'status=50[0-9]' "$state/log" || code=1
  return $code
}
