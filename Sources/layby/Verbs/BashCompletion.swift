import Remote
import Runtime

/// What bash needs to complete the program's words, as one script: the verbs' forms and options as tables, and a function
/// that fits what was typed against them. It starts no program, so it also answers when no player runs.
enum BashCompletion {
  private static let verbs = ManualTables.verbs

  static var script: String {
    let words = verbs.map(\.name).joined(separator: " ")
    return """
      # Completes the words of layby in bash. Printed by layby manual completion.

      # VERB: each way in which it is used. Capitals stand for a kind of value, | for a choice, dots for what is repeated.
      _layby_forms() {
        case $1 in
      \(verbs.map { row($0.name, forms(of: $0)) }.joined())\
        esac
      }

      # VERB: its options, and behind each that takes a value of which kind that is.
      _layby_options() {
        case $1 in
      \(withOptions.map { row($0.name, $0.allOptions.map(\.usage)) }.joined())\
          \(withoutOptions.map(\.name).joined(separator: " | "))) ;;
      \(row("*", Verb.commonOptions.map(\.usage)))\
        esac
      }

      # KIND: the words that may stand for it, where they can be listed.
      _layby_words() {
        case $1 in
      \(ArgumentKind.allCases.map { row($0.rawValue, choices(of: $0)) }.joined())\
        esac
      }

      _layby_verbs="\(words)"

      # ALTERNATIVES: adds to `offered` what may stand for them; for paths sets a mark.
      _layby_offer() {
        local one word
        local -a alternatives
        IFS='|' read -ra alternatives <<<"${1%...}"
        for one in "${alternatives[@]}"; do
          case $one in
            \(patterns { $0.paths == .files })) with_files=yes ;;
            \(patterns { $0.paths == .folders })) with_folders=yes ;;
            [[:upper:]]*) for word in $(_layby_words "$one"); do offered[$word]=; done ;;
            *) offered[$one]= ;;
          esac
        done
      }

      # WORD ALTERNATIVES: whether the word can be one of them.
      _layby_accepts() {
        local one IFS='|'
        for one in ${2%...}; do
          case $one in
            \(patterns(\.isListed))) [[ $'\\n'$(_layby_words "$one")$'\\n' != *$'\\n'"$1"$'\\n'* ]] || return 0 ;;
            [[:upper:]]*) return 0 ;;
            *) [[ $1 != "$one" ]] || return 0 ;;
          esac
        done
        return 1
      }

      # Fits the words from number J on against the form from its word I on, and offers what would come next.
      _layby_fit() {
        local i=$1 j=$2
        ((i < ${#form[@]})) || return 0
        if ((j == ${#typed[@]})); then
          _layby_offer "${form[i]}"
          return
        fi
        _layby_accepts "${typed[j]}" "${form[i]}" || return 0
        if [[ ${form[i]} == *... ]]; then _layby_fit "$i" $((j + 1)); fi
        _layby_fit $((i + 1)) $((j + 1))
      }

      # VERB OPTION: sets `value` to the kind of its value.
      _layby_value() {
        local line
        value=
        while read -r line; do
          [[ ${line%% *} != "$2" ]] || value=${line#"$2"}
        done < <(_layby_options "$1")
        value=${value# }
      }

      _layby() {
        local current=${COMP_WORDS[COMP_CWORD]} verb= value= word line with_files= with_folders=
        local -a typed=() form=()
        local -A offered=()
        [[ $current != = ]] || current=
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case $word in
            =) ;;
            --*) _layby_value "$verb" "$word" ;;
            *)
              if [[ -n $value ]]; then
                [[ $value == *... ]] || value=
              elif [[ -z $verb ]]; then
                verb=$word
              else
                typed+=("$word")
              fi
              ;;
          esac
        done
        if [[ $current == -* && (-z $value || $value == *...) ]]; then
          offered[--help]=
          while read -r line; do offered[${line%% *}]=; done < <(_layby_options "$verb")
        elif [[ -n $value ]]; then
          _layby_offer "$value"
        elif [[ -z $verb ]]; then
          for word in $_layby_verbs; do offered[$word]=; done
        else
          while read -r line; do
            read -ra form <<<"$line"
            _layby_fit 0 0
          done < <(_layby_forms "$verb")
        fi
        mapfile -t COMPREPLY < <(
          compgen -W "${!offered[*]}" -- "$current"
          [[ -z $with_files ]] || compgen -f -- "$current"
          [[ -n $with_files || -z $with_folders ]] || compgen -d -- "$current"
        )
        # Only while bash itself asks: then it puts slashes behind folders and quotes around blanks.
        [[ -z $with_files$with_folders ]] || compopt -o filenames 2>/dev/null
      }

      complete -F _layby layby

      """
  }

  // The others have those that all verbs of a running player have.
  private static var withOptions: [Verb] { verbs.filter { !$0.options.isEmpty } }
  private static var withoutOptions: [Verb] { verbs.filter(\.allOptions.isEmpty) }

  /// One case of a table: prints each line by itself.
  private static func row(_ name: String, _ lines: [String]) -> String {
    lines.isEmpty
      ? "" : "    \(name)) printf '%s\\n' \(lines.map { "'\($0)'" }.joined(separator: " ")) ;;\n"
  }

  /// Each form without brackets: once with what stood in them and once without.
  private static func forms(of verb: Verb) -> [String] {
    let all = verb.shownForms.flatMap(\.withoutBrackets).filter { !$0.isEmpty }
    // What another begins with is fitted by that one.
    return all.filter { form in !all.contains { $0.hasPrefix(form + " ") } }
  }

  private static func choices(of kind: ArgumentKind) -> [String] {
    switch kind {
    case .verb: verbs.map(\.name)
    case .setting: SettingsTable.all.words
    default: kind.choices
    }
  }

  private static func patterns(_ isMeant: (ArgumentKind) -> Bool) -> String {
    ArgumentKind.allCases.filter(isMeant).map(\.rawValue).joined(separator: " | ")
  }
}
