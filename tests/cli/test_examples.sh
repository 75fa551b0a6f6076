# SPDX-License-Identifier: MIT
# Every example's answer to --help and to arguments that it does not take: no work is done, and no
# file of such a name is made or opened.
. "$CLI_TESTS/lib.sh"
: "${EXAMPLES:?the folder of the built examples}"

refuses() { # refuses WHAT ARGUMENT...: the program under test ends with 1, says WHAT and its usage
    what=$1
    shift
    run 1 "$@"
    silent
    err "$what"
    err "usage: $name"
}

for source in "$ALBA_SOURCE"/examples/*.c; do
    name=$(basename "$source" .c)
    ALBA=$EXAMPLES/$name
    for flag in --help -h; do
        run 0 $flag
        out "usage: $name"
        no_err "$name"
        run 0 a.png $flag
    done
    refuses "there is no option '--frames'" --frames
    refuses "there is no option '-1'" a.png -1
    refuses usage a.png 1 2 3
done
for name in particles torus_knot; do
    ALBA=$EXAMPLES/$name
    for count in 0 x 1e3 1000001 99999999999999999999 +1 ' 1'; do
        refuses "'$count' is no whole number from 1 to 1000000" a.png "$count"
    done
done
[ "$(ls)" = "err
out" ]
expect "files were made: $(ls)"

if command -v node > /dev/null; then
    for source in "$ALBA_SOURCE"/examples/node/*.*js; do
        name=$(basename "$source")
        case $name in arguments.js | png.js) continue ;; esac
        for flag in --help --no-such-option; do
            node "$source" $flag > out 2> err
            status=$?
            # Without the addon beside the bindings the examples end before they look.
            grep -q 'alba.node' err && continue
            case $flag in --help) wanted=0 ;; *) wanted=1 ;; esac
            [ $status -eq $wanted ] && cat out err | grep -q "usage: node $name"
            expect "$name $flag ended with $status"
        done
    done
fi
finish
