/**
 * Scripts that shells load to complete `switchyard`. Each asks the program itself for candidates, so that a
 * script does not go stale. The program prints one line per candidate, with its description after a tab. The
 * lines `:file` and `:folder` ask the shell for paths.
 */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** A shell for which there is a script. */
export type Shell = (typeof SHELLS)[number]

/** The text that each shell loads. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  // Words are taken from the line: bash splits them at "@", "=" and ":" too, and replaces only what follows
  // these.
  bash: `# source <(switchyard completion bash)
_switchyard() {
  local line="\${COMP_LINE:0:COMP_POINT}" current kept="" found breaks
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current="\${words[\${#words[@]}-1]}"
  breaks="\${COMP_WORDBREAKS//[^=@:]/}"
  [[ -n $breaks ]] && kept="\${current%"\${current##*[$breaks]}"}"
  COMPREPLY=()
  while IFS= read -r found; do
    case "$found" in
      :file|:folder)
        compopt -o filenames 2>/dev/null
        local path option=-f
        [[ $found == :folder ]] && option=-d
        while IFS= read -r path; do
          COMPREPLY+=("$path")
        done < <(compgen "$option" -- "\${current##*=}")
        ;;
      ?*)
        found="\${found%%$'\\t'*}"
        COMPREPLY+=("\${found#"$kept"}")
        ;;
    esac
  done < <(switchyard __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _switchyard switchyard`,
  zsh: `#compdef switchyard
# source <(switchyard completion zsh)
_switchyard() {
  local line
  local -a found
  while IFS= read -r line; do
    case $line in
      :file) _files ;;
      :folder) _files -/ ;;
      ?*) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done < <(switchyard __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe -t values switchyard found
  return 0
}
compdef _switchyard switchyard`,
  fish: `# switchyard completion fish | source
function __switchyard_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc) "$current"
    for line in (switchyard __complete -- $words[2..-1] 2>/dev/null)
        switch $line
            case :file
                __fish_complete_path "$current"
            case :folder
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c switchyard -f -a '(__switchyard_complete)'`,
}
