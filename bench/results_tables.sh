# Figures and tables of a document of results, from the SQLite database results.db in the
# current directory. To be sourced. A query that fails leaves a file `failed`.

q() # QUERY: what it gives, columns separated by a bar
{
    sqlite3 -readonly -separator ' | ' results.db "$1" || echo "$1" >>failed
}

percent() # EXPRESSION [DIGITS]: SQL that shows a part of 1, or a dash
{
    echo "iif(($1) IS NULL, '–', printf('%.${2:-2}f', 100.0 * ($1)))"
}

p() # EXPRESSION-AND-REST [DIGITS]: a percentage for a sentence: p 'avg(error) FROM best ...'
{
    q "SELECT iif(x IS NULL, '–', printf('%.${2:-2}f %%', 100.0 * x)) FROM (SELECT $1 AS x)" |
        sed '/./!s/^/–/'
}

heading() # COLUMN...: the first, and those with a < before them, to the left
{
    local names rule
    names="| $1 |" rule='| --- |'
    shift
    for column in "$@"; do
        names="$names ${column#<} |"
        case $column in '<'*) rule="$rule --- |" ;; *) rule="$rule ---: |" ;; esac
    done
    printf '%s\n%s\n' "$names" "$rule"
}

rows() # QUERY: as rows of a table
{
    q "$1" | sed 's/.*/| & |/'
    echo
}
