#compdef ebb
# Completion of ebb in zsh: source <(ebb completion zsh)
_ebb() {
  local found
  local -a all open
  while IFS= read -r found; do
    if [[ $found == *[:=.] ]]; then open+=("$found"); else all+=("$found"); fi
  done < <("${(Q)words[1]/#\~/$HOME}" complete-words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)
  if (( $#all + $#open )); then
    # compadd quotes what it inserts.
    (( $#all )) && compadd -- "${all[@]}"
    (( $#open )) && compadd -S '' -- "${open[@]}"
  else
    _files
  fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _ebb ebb
