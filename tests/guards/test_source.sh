#!/usr/bin/env bash
# Rules on the text of the sources: sizes, functions that are ruled out, unfinished work.
set -u
. "${0%/*}/guard.sh"

sources() {
    find server handlers db -name '*.[ch]' | sort
}

sources_and_tests() {
    sources
    find tests -name '*.[ch]' | sort
}

long_files() {
    sources_and_tests | xargs wc -l | awk '$2 != "total" && $1 > 500 { print $2 " has " $1 " lines, over 500" }'
}

# A function is from the line before its brace in the first column to the closing brace there.
long_functions() {
    sources_and_tests | xargs awk 'FNR == 1 { start = 0 }
        /^{/ { start = FNR }
        /^}/ && start > 0 { if (FNR - start + 1 > 60) print FILENAME ":" start " a function of " FNR - start + 1 " lines, over 60"
            start = 0 }'
}

forbidden_functions() {
    sources | xargs grep -nE '\b(sprintf|vsprintf|strcpy|strcat|strncpy|strncat|strtok|atoi|atol|atof|gets|alloca|system|popen|rand) *\('
}

# The pattern is split so that this file does not find itself.
unfinished_work() {
    { sources; find tests static -type f ! -path '*/node_modules/*' ! -name package-lock.json; } |
        xargs grep -nIE "\b(TO""DO|FIX""ME|XX""X|HA""CK)\b|not impl""emented|stub""bed"
}

# File-scope variables of the program are constants, or static const tables; locals of static storage the same.
mutable_globals() {
    sources | xargs grep -nE '^(static )?(_Thread_local |volatile |_Atomic |unsigned |signed |struct [a-z_]+ |enum [a-z_]+ |[a-z_]+_t |int |char |bool |long |double |float |size_t )+\**[a-z_]+(\[[^]]*\])*( = .*)?;' |
        grep -vE ':(typedef|extern|return) |const '
}

assignment_in_condition() {
    sources | xargs grep -nE '\b(if|while) \(.*[^=!<>]=[^=].*\) \{$' | grep -vE '"[^"]*=[^"]*"|'"'='"
}

typedefs() {
    sources | xargs grep -nE '^ *typedef (struct|enum|union)\b'
}

guard long_files "no file is longer than 500 lines" tests/planted.c "$(yes '/* */' | head -n 501)"
guard long_functions "no function is longer than 60 lines" tests/planted.c \
    "$(echo 'void f(void)'; echo '{'; yes '    g();' | head -n 60; echo '}')"
guard forbidden_functions "functions that are ruled out are not called" server/planted.c 'int n = ato''i("1");'
guard unfinished_work "nothing is marked as unfinished" handlers/planted.c "/* TO""DO */"
guard mutable_globals "no variable of file scope can change" server/planted.c 'static int counter = 0;'
guard assignment_in_condition "no condition assigns" server/planted.c $'    if ((a = b()) != 0) {\n    }'
guard typedefs "structs and enums go by their own names" db/planted.c 'typedef struct { int a; } planted;'
guard_done
