# Which lines of the sources can be broken, and how. Reads Swift files whose paths begin with "Sources/"; prints
#   HASH ROOM PATH LINE WHAT NEWLINE OLDLINE     with tabs between, the last without its margin
# NEWLINE does as before unless the number that stands for @N@ is the one to be broken (Tests/lib/broken.sh).
# HASH, of the seed and the line, puts the lines into an order that is another for every seed.
# Plain awk: mawk, as Debian has it, is enough.

FNR == 1 { finish(); path = FILENAME; count = 0; leave = 0 }
# A promise to the compiler that no lock is taken; reading which line is broken takes one.
/@_noLocks|@_noAllocation/ { leave = 1 }
{ text[++count] = $0 }
END { finish() }

function finish(    i, inText, parts, line) {
  if (!count || leave) return
  split(path, parts, "/")
  room = parts[2]
  inText = 0
  for (i = 1; i <= count; i++) {
    line = text[i]
    if (gsub(/"""/, "\"\"\"", line) % 2) { inText = !inText; continue }
    if (inText || line ~ /^ *(\/\/|@|#|import |case |internal |package import )/ || line ~ /"""|\/\/|#"/) continue
    # A program's log and its last words are not judged.
    if (line ~ /(^|[^A-Za-z])(log|Log|logger|logQuoted|print|debugPrint|assert|assertionFailure|precondition|preconditionFailure|fatalError)[.(]/) continue
    clauses(i)
    results(i)
    choices(i)
    steps(i)
    calls(i)
  }
  count = 0
}

function hash(string,    i, value) {
  value = 7
  for (i = 1; i <= length(string); i++) value = (value * 131 + index(letters, substr(string, i, 1))) % 16777213
  return value
}

function found(i, what, line) {
  if (line ~ /\t/) return
  printf "%08d\t%s\t%s\t%d\t%s\t%s\t%s\n", hash(seed path text[i] what), room, path, i, what, line, \
    substr(text[i], indent(text[i]) + 1)
}

BEGIN {
  letters = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
}

# The same, as long, with every letter within quotation marks an underscore; empty when something stands in them that is code.
function blank(string,    i, c, inside, out) {
  if (string ~ /\\/) return ""
  for (i = 1; i <= length(string); i++) {
    c = substr(string, i, 1)
    if (c == "\"") inside = !inside
    out = out (inside && c != "\"" ? "_" : c)
  }
  return inside ? "" : out
}

# Where `word` stands in `string` outside of all brackets; 0 when nowhere, -1 when a bracket closes before.
function outside(string, word,    i, c, depth) {
  for (i = 1; i <= length(string); i++) {
    c = substr(string, i, 1)
    if (!depth && substr(string, i, length(word)) == word) return i
    if (c ~ /[([{]/) depth++
    if (c ~ /[])}]/ && --depth < 0) return -1
  }
  return 0
}

function isBalanced(string,    i, c, depth) {
  for (i = 1; i <= length(string); i++) {
    c = substr(string, i, 1)
    if (c ~ /[([{]/) depth++
    if (c ~ /[])}]/ && --depth < 0) return 0
  }
  return depth == 0
}

function isPlain(code) {
  return code !~ /^(true|false)?$/ && isBalanced(code) && code !~ /[{};#\t]|(^|[^A-Za-z])(let|var|case|try|await|consume|copy)[^A-Za-z]| = / }

# Conditions of `if`, `while`, `guard` and `for ... where`, each clause for itself.
function clauses(i,    line, code, at, end, clause, rest) {
  line = text[i]
  code = blank(line)
  if (match(code, /^ *(} else )?(if|while) /)) { at = RLENGTH + 1; end = outside(substr(code, at), " {") }
  else if (match(code, /^ *guard /)) { at = RLENGTH + 1; end = outside(substr(code, at), " else {") }
  else if (code ~ /^ *for / && match(code, / where /)) { at = RSTART + 7; end = outside(substr(code, at), " {") }
  else return
  if (end <= 0) return
  end += at - 1
  while (at < end) {
    rest = substr(code, at, end - at)
    clause = outside(rest, ", ")
    if (clause < 0) return
    clause = clause ? substr(rest, 1, clause - 1) : rest
    if (isPlain(clause)) condition(i, at, length(clause))
    at += length(clause) + 2
  }
}

function condition(i, at, size,    line, whole, before, after, code, sign, other, place) {
  line = text[i]
  whole = substr(line, at, size)
  before = substr(line, 1, at - 1)
  after = substr(line, at + size)
  # A loop that always went on would only cost the time until somebody ends it.
  if (line !~ /^ *(while|for) /) found(i, "a condition that always holds", before "brokenOnPurpose(@N@, " whole ", is: true)" after)
  found(i, "a condition that never holds", before "brokenOnPurpose(@N@, " whole ", is: false)" after)
  code = blank(whole)
  # One comparison only, so that it is known which.
  if (gsub(/ [<>]=? /, "&", code) != 1) return
  match(code, / [<>]=? /)
  place = RSTART
  sign = substr(code, place, RLENGTH)
  other = sign ~ /=/ ? substr(sign, 1, 2) " " : substr(sign, 1, 2) "= "
  found(i, "`" substr(sign, 2, length(sign) - 2) "` is `" substr(other, 2, length(other) - 2) "`", \
    before "(brokenOnPurpose(@N@) ? (" substr(whole, 1, place - 1) other substr(whole, place + length(sign)) ") : (" whole "))" after)
}

# What a property or a function of one line says, and what is returned by a comparison.
function results(i,    line, code, at, end, result) {
  line = text[i]
  code = blank(line)
  if (code ~ /^ *return /) {
    match(code, /^ *return /)
    at = RLENGTH + 1
    end = length(code) + 1
    result = substr(code, at)
    if (!(outside(result, " == ") > 0 || outside(result, " != ") > 0 || outside(result, " < ") > 0 || outside(result, " > ") > 0 \
      || outside(result, " >= ") > 0 || outside(result, " <= ") > 0) && result !~ /^!/) return
    if (result ~ /^[.]|[?]| [-+*\/] *$|[(,]$/) return
  } else if (match(code, /(:|->) Bool { /) && code ~ / }$/) {
    at = RSTART + RLENGTH
    end = length(code) - 1
    result = substr(code, at, end - at)
  } else return
  if (!isPlain(result) || result ~ /^(get|set|if|switch|return) | [?][?] /) return
  # What goes on in the next line is not known whole.
  if (code ~ /^ *return / && text[i + 1] ~ /^ *([-+*\/?:.&|<>=!]|[?][?])/) return
  condition(i, at, end - at)
}

# `a ? b : c` after `=` or `return`.
function choices(i,    code, at, size, rest) {
  code = blank(text[i])
  if (code ~ /^ *(if|guard|while|for|else|}) / || code ~ /"/) return
  if (!match(code, /(^ *return | = )/)) return
  at = RSTART + RLENGTH
  rest = substr(code, at)
  size = outside(rest, " ? ") - 1
  if (size < 1) return
  rest = substr(rest, 1, size)
  if (!isPlain(rest) || rest ~ /[?,]/) return
  condition(i, at, size)
}

# One more or less.
function steps(i,    line, code) {
  line = text[i]
  code = blank(line)
  if (code == "" || code ~ /"|static |^ *(for|func|init) /) return
  if (gsub(/ [-+]=? 1([^0-9._a-zA-Z]|$)/, "&", code) != 1) return
  match(code, / [-+]=? 1([^0-9._a-zA-Z]|$)/)
  match(substr(line, RSTART), / 1/)
  match(code, / [-+]=? 1/)
  found(i, "`" substr(line, RSTART + 1, RLENGTH - 1) "` is `" substr(line, RSTART + 1, RLENGTH - 2) "0`", \
    substr(line, 1, RSTART + RLENGTH - 2) "(brokenOnPurpose(@N@) ? 0 : 1)" substr(line, RSTART + RLENGTH))
}

function indent(string) { match(string, /^ */); return RLENGTH }

# A call that is a statement of its own, among others.
function calls(i,    line, code, before, after, margin) {
  line = text[i]
  code = blank(line)
  if (code !~ /^ *[a-z][A-Za-z0-9_.?]*\(.*\)$/ || !isBalanced(code) || code ~ /{|^ *(super|self)\.init|[^A-Za-z]inout /) return
  if (code ~ /^ *(_?exit|abort|if|guard|while|for|switch|return|throw|try|await|init|func|fflush|free)[ (]/ || code ~ /consume |deallocate|deinitialize/) return
  if (outside(substr(code, indent(code) + 1), " ") > 0) return
  before = text[i - 1]
  after = text[i + 1]
  margin = indent(line)
  if (before ~ /[,([=?:&|+*<>-]$/ || before ~ /^ *\/\// || after ~ /^ *[.?:&|+*<>=,)\]-]/) return
  if (!(before != "" && indent(before) == margin && before !~ /^ *(case|default)/) && \
    !(after ~ /^ *[a-z]/ && indent(after) == margin && after !~ /^ *(else|case|default|func|var|init|private|static)/)) return
  found(i, "a call left out", substr(line, 1, margin) "if !brokenOnPurpose(@N@) { " substr(line, margin + 1) " }")
}
