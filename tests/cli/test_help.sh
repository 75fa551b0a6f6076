# SPDX-License-Identifier: MIT
# Help of every command, whose example must itself work; unknown commands.
. "$CLI_TESTS/lib.sh"

run 0 --help
cp out commands
out 'usage: alba COMMAND'
run 0 help
run 0 -h
run 2
err 'usage: alba COMMAND'
run 0 --version
out 'alba '

# The examples are written for the root of the source tree.
for command in $(sed -n 's/^  \([a-z]*\)  *.*/\1/p' commands); do
    for flag in --help -h; do
        run 0 "$command" $flag
        out "usage: alba $command"
        out 'example: alba '
        no_err 'alba'
    done
    # A backslash at the end of a line joins the next.
    sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' out | sed -n 's/^example: alba //p' > examples
    [ -s examples ]
    expect "$command has no example"
    while IFS= read -r example; do
        last=$example
        (cd "$ALBA_SOURCE" && eval "\"$ALBA\" $example") > out 2> err < /dev/null
        status=$?
        case $example in
        *layout_mistake*) [ $status -eq 1 ] ;; # wrong on purpose
        *--diff*) [ $status -eq 1 ] && grep -q 'they differ' out ;;
        *) [ $status -eq 0 ] && [ -s out ] ;;
        esac
        expect "the example ended with $status"
    done < examples
done
[ "$(wc -l < commands)" -gt 10 ]
expect 'the list of commands is short'

run 2 chek
err "there is no command 'chek'; did you mean 'check'?"
run 2 zzzzzz
err 'alba --help lists the commands'
no_err 'did you mean'
if [ -w /dev/full ]; then
    "$ALBA" info > /dev/full 2> err
    [ $? -eq 1 ] && grep -q 'standard output cannot be written' err
    expect 'a full disk goes unnoticed'
fi
finish
