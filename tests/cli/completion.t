#!/bin/sh
# SPDX-License-Identifier: MIT
# Completion in shells: what they offer is what --help has.
. "$(dirname "$0")/../lib.sh"
need bash
PATH=$BUILD:$PATH

# complete WORD...: what bash offers for the last word of the line.
complete()
{
    bash -c 'eval "$(sluice completion bash)"
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sluice
        printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort -u | tr '\n' ' '
}
is 'commands are completed' "$(complete sluice rec)" 'record '
is 'all of them are offered' "$(complete sluice '' | tr ' ' '\n' | grep -v '^-' | grep -c .)" \
    "$("$sluice" --help | grep -c '^  [a-z]* *[A-Z]')"
for command in run record replay compare sweep report list; do
    is "the options of $command are those of its help" "$(complete sluice $command -- | tr ' ' '\n' | grep .)" \
        "$("$sluice" $command --help | grep -o '^  .\{4\}--[a-z-]*' | grep -o -- '--.*' | sort)"
done
is 'what an option takes is completed' "$(complete sluice run -p ed)" 'edge '
is 'formats are' "$(complete sluice report --format call)" 'callgraph callgrind '
is 'files are left to the shell' "$(complete sluice report ./)" ' '

"$sluice" completion zsh >_sluice
if command -v zsh >/dev/null; then
    ok 'zsh takes its script' zsh -n _sluice
else
    skip 'zsh takes its script' 'there is no zsh'
fi
for option in --profile --range --memory; do
    ok "zsh's script has $option" grep -q -- "$option" _sluice
done
"$sluice" completion fish >out 2>err
is 'another shell: status 2' $? 2
like 'another shell: a sentence' "$(cat err)" 'sluice: give a shell: bash or zsh*'
finish
