# SPDX-License-Identifier: MIT
# Sourced by every test_NAME.sh. Runs the command line and looks at what it prints:
#
#   run STATUS ARGUMENT...   runs alba in a folder of its own and expects the exit status
#   out TEXT / err TEXT      the last run printed TEXT (a fixed string) on that stream
#   no_out TEXT / no_err TEXT
#   out_is TEXT              standard output is exactly TEXT and a newline
#   json COUNT               standard output is COUNT lines, each a JSON object
#   value PATH EXPECTED      of the first line: value types.0.size 32
#   finish                   ends the script; at the end of each
#
# A failed expectation is printed with what was seen, and the script goes on.
set -u
: "${ALBA:?the program under test}" "${CLI_TESTS:?this folder}" "${ALBA_SOURCE:?the source tree}"

work=$(mktemp -d "${TMPDIR:-/tmp}/alba-cli-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0
failures=0
last=

expect() { # expect WHAT: the status of the command before it
    if [ "$?" -eq 0 ]; then
        checks=$((checks + 1))
    else
        checks=$((checks + 1))
        failures=$((failures + 1))
        printf 'FAILED: alba %s\n  %s\n' "$last" "$1"
        sed 's/^/  out| /' "$work/out" | head -n 20
        sed 's/^/  err| /' "$work/err" | head -n 20
    fi
}

run() {
    wanted=$1
    shift
    last=$*
    "$ALBA" "$@" > "$work/out" 2> "$work/err" < "${input:-/dev/null}"
    status=$?
    [ "$status" -eq "$wanted" ]
    expect "exit status $status, expected $wanted"
}

out() { grep -qF -e "$1" "$work/out"; expect "standard output lacks: $1"; }
err() { grep -qF -e "$1" "$work/err"; expect "standard error lacks: $1"; }
no_out() { ! grep -qF -e "$1" "$work/out"; expect "standard output has: $1"; }
no_err() { ! grep -qF -e "$1" "$work/err"; expect "standard error has: $1"; }
silent() { [ ! -s "$work/out" ]; expect "standard output is not empty"; }
out_is() { [ "$(cat "$work/out")" = "$1" ]; expect "standard output is not: $1"; }

json() {
    count=$("$JSON_LINES" < "$work/out") && [ "$count" = "$1" ]
    expect "expected $1 lines of JSON"
}
value() {
    seen=$("$JSON_LINES" "$1" < "$work/out") && [ "$seen" = "$2" ]
    expect "$1 is '$seen', expected '$2'"
}

finish() {
    printf '%s checks, %s failed\n' "$checks" "$failures"
    [ "$failures" -eq 0 ] && [ "$checks" -gt 0 ]
    exit
}
