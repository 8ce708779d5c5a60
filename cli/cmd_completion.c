/* SPDX-License-Identifier: MIT */
/* Command `sluice completion`: prints completion scripts for bash and zsh, generated from the
 * tables of options and commands. To complete the argument of an option, for example a format, the
 * script runs `sluice list`. */
#include <string.h>

#include "option_rows.h"

/* The KIND of `sluice list KIND` that lists the option's values; NULL: none. */
static const char *kind_of(const struct cli_option_row *row)
{
    static const char *const kinds[][2] = {
        {"profile", "detectors"}, {"machine", "machines"}, {"format", "formats"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(row->name, kinds[i][0]))
            return kinds[i][1];
    return NULL;
}

static void print_bash_options(const struct cli_command *command)
{
    printf("    %s) options='", command->name);
    for (const struct cli_option_row *row = cli_option_rows; row->name; row++)
        if (cli_accepts(command, row))
            printf("%s--%s", row == cli_option_rows ? "" : " ", row->name);
    printf("' ;;\n");
}

static void print_bash(void)
{
    printf("# bash completion for sluice: eval \"$(sluice completion bash)\"\n"
           "_sluice()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
           "options= kind= words= commands='");
    for (size_t i = 0; cli_commands[i]; i++)
        printf("%s%s", i ? " " : "", cli_commands[i]->name);
    printf(
        "'\n    if [ $COMP_CWORD = 1 ]; then\n        words=\"$commands help --help --version\"\n"
        "    elif [ $COMP_CWORD = 2 ] && [ $before = help ]; then\n        words=$commands\n"
        "    fi\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; cli_commands[i]; i++)
        print_bash_options(cli_commands[i]);
    printf("    esac\n    case $before in\n");
    for (const struct cli_option_row *row = cli_option_rows; row->name; row++)
        if (kind_of(row))
            printf("    -%c | --%s) kind=%s ;;\n", row->letter, row->name, kind_of(row));
    printf(
        "    list) kind=; words=\"$words detectors metrics tables machines formats streams\" ;;\n"
        "    esac\n"
        "    if [ \"$kind\" ]; then\n"
        "        words=$(sluice list $kind | sed -n 's/^\\([a-z][a-z0-9-]*\\) .*/\\1/p')\n"
        "    elif [ $COMP_CWORD -gt 1 ] && [ \"${word#-}\" != \"$word\" ]; then\n"
        "        words=$options\n"
        "    fi\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
        "}\n"
        "complete -o bashdefault -o default -F _sluice sluice\n");
}

/* Prints text in a zsh specification, with brackets and colons escaped. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            putchar('\\');
        if (*text == '\'')
            fputs("'\\'", stdout);
        putchar(*text);
    }
}

static void print_zsh_option(const struct cli_command *command, const struct cli_option_row *row)
{
    bool may_repeat = strstr(row->help, "repeated");
    if (row->letter)
        printf("            %s{-%c,--%s}'[", may_repeat ? "'*'" : "", row->letter, row->name);
    else
        printf("            '%s--%s[", may_repeat ? "*" : "", row->name);
    print_zsh_text(cli_option_text(command, row));
    printf("]");
    if (row->argument) {
        printf("%s", *row->argument == '[' ? "::" : ":");
        print_zsh_text(row->argument);
        if (kind_of(row))
            printf(":_sluice_names %s", kind_of(row));
        else
            printf(":_files");
    }
    printf("' \\\n");
}

static void print_zsh(void)
{
    printf("#compdef sluice\n"
           "# zsh completion for sluice: put this into a file _sluice in a directory of $fpath\n"
           "_sluice_names()\n{\n"
           "    local -a names\n"
           "    names=(${(f)\"$(sluice list $1 | sed -n 's/^\\([a-z][a-z0-9-]*\\)  "
           "*\\(.*\\)/\\1:\\2/p')\"})\n"
           "    _describe name names\n}\n"
           "_sluice()\n{\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        printf("        '%s:", cli_commands[i]->name);
        print_zsh_text(cli_commands[i]->summary);
        printf("'\n");
    }
    printf("        'help:Shows the help of a command'\n    )\n"
           "    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n  "
           "  fi\n"
           "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
           "    case $command in\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        printf("    %s)\n        _arguments \\\n", cli_commands[i]->name);
        for (const struct cli_option_row *row = cli_option_rows; row->name; row++)
            if (cli_accepts(cli_commands[i], row))
                print_zsh_option(cli_commands[i], row);
        printf("            '*::argument:_normal' ;;\n");
    }
    printf("    help) _describe command commands ;;\n    esac\n}\n_sluice \"$@\"\n");
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    const char *shell = o->first_argument == argc - 1 ? argv[o->first_argument] : "";
    if (!strcmp(shell, "bash"))
        print_bash();
    else if (!strcmp(shell, "zsh"))
        print_zsh();
    else
        return cli_usage_error(command, "give a shell: bash or zsh");
    return 0;
}

const struct cli_command cli_completion = {
    .name = "completion",
    .summary = "Prints a completion script for bash or zsh",
    .usage = "bash|zsh",
    .options = (const char *const[]){NULL},
    .examples = "  eval \"$(sluice completion bash)\"                       in ~/.bashrc\n"
                "  sluice completion zsh >~/.zsh/functions/_sluice        a directory of $fpath\n",
    .run = run,
};
