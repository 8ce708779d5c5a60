#!/bin/sh
# SPDX-License-Identifier: MIT
# Shell completion offers the options and values that --help lists.
. "$(dirname "$0")/../lib.sh"
need bash
PATH=$BUILD:$PATH

# complete WORD...: the completions that bash offers for the last word of the line.
complete()
{
    bash -c 'eval "$(sluice completion bash)"
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sluice
        printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort -u | tr '\n' ' '
}
is 'commands are completed' "$(complete sluice rec)" 'record '
commands=$("$sluice" --help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p')
is 'all commands are offered, and help' "$(complete sluice '' | tr ' ' '\n' | grep -v '^-' | grep .)" \
    "$(printf '%s\n' $commands help | sort)"
is 'the argument of help is a command' "$(complete sluice help '' | tr ' ' '\n' | grep .)" \
    "$(printf '%s\n' $commands | sort)"
for command in run record replay compare sweep report list; do
    is "the options of $command are those of its help" "$(complete sluice $command -- | tr ' ' '\n' | grep .)" \
        "$("$sluice" $command --help | grep -o '^  .\{4\}--[a-z-]*' | grep -o -- '--.*' | sort)"
done
is 'the argument of an option is completed' "$(complete sluice run -p ed)" 'edge '
is 'formats are completed' "$(complete sluice report --format call)" 'callgraph callgrind '
is 'file names are left to the shell' "$(complete sluice report ./)" ' '

"$sluice" completion zsh >_sluice
if command -v zsh >/dev/null; then
    ok 'zsh accepts its script' zsh -n _sluice
else
    skip 'zsh accepts its script' 'there is no zsh'
fi
for option in --profile --range --memory; do
    ok "the script of zsh has $option" grep -q -- "$option" _sluice
done
ok 'the script of zsh has the text that the command gives to an option' \
    grep -qF -- "--output}'[trace to write]" _sluice
ok 'the script of zsh has help' grep -q "'help:" _sluice
"$sluice" completion fish >out 2>err
is 'another shell: status 2' $? 2
like 'another shell: a message' "$(cat err)" 'sluice: give a shell: bash or zsh*'
finish
