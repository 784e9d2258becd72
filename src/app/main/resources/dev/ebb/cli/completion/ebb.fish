# Completion of ebb in fish: ebb completion fish | source
function __ebb_complete
    set -l typed (commandline -opc)
    set -l last (commandline -ct)
    set -l found ($typed[1] complete-words -- $typed[2..-1] $last 2>/dev/null </dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path $last
    end
end
complete -c ebb -f -a '(__ebb_complete)'
