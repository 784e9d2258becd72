# Completion of ebb in bash: source <(ebb completion bash)
_ebb() {
  local line words word typed found
  # What is typed up to the cursor, cut at blanks and not where bash cuts a word; nothing of it is evaluated.
  line=${COMP_LINE:0:COMP_POINT}
  read -ra words <<<"$line"
  [[ $line != *[[:blank:]] ]] || words+=('')
  typed=${words[${#words[@]} - 1]}
  # bash replaces only what stands behind its last separator.
  local kept=${typed%"${typed##*[:=]}"}
  COMPREPLY=()
  while IFS= read -r found; do
    word=${found#"$kept"}
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <("${words[0]/#\~/$HOME}" complete-words -- "${words[@]:1}" 2>/dev/null </dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[:=.] ]]; then
    compopt -o nospace 2>/dev/null || true
  fi
}
complete -o default -F _ebb ebb
