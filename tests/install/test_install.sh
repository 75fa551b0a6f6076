#!/bin/sh
# SPDX-License-Identifier: MIT
# test_install.sh BUILD SOURCE CC CMAKE VERSION LIBDIR: see CMakeLists.txt. Prints what failed; exit
# 1 if anything did.

set -eu
build=$1
source=$2
compiler=$3
cmake=$4
version=$5
libdir=$6
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
fail() {
    echo "$1" >&2
    status=1
}

"$cmake" --install "$build" --prefix "$folder/first" >"$folder/log" || { cat "$folder/log" >&2; exit 1; }
mkdir "$folder/moved"
mv "$folder/first" "$folder/moved/alba"
prefix=$folder/moved/alba
library=$prefix/$libdir

for path in "$library/libalba.so" "$library/libalba.so.0" "$library/libalba.so.$version" "$library/libalba.a" \
    "$library/pkgconfig/alba.pc" "$library/cmake/alba/alba-config.cmake" "$prefix/include/webgpu/webgpu.h"; do
    [ -e "$path" ] || fail "not installed: ${path#"$prefix"/}"
done
if grep -rlF -e "$build" -e "$folder/first" "$library/pkgconfig" "$library/cmake"; then
    fail "the files above name an absolute path"
fi

# runs PROGRAM LIBRARY_PATH
runs() {
    said=$(LD_LIBRARY_PATH=$2 "$1") || fail "$1 failed"
    [ "$said" = "alba works" ] || fail "$1 said '$said'"
}

# The command line finds the code generator from where it was put.
if [ -e "$library/libalba-jit.so" ]; then
    said=$(env -u ALBA_JIT "$prefix/bin/alba" run "$source/double.wgsl" --entry main --dispatch 1,1,1 \
        --bind 0.0=f32:1,2,3 --print 0.0=f32) || fail "the installed alba cannot run a shader"
    echo "$said" | grep -q '2.*4.*6' || fail "the installed alba doubled 1,2,3 to '$said'"
fi

if command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH=$library/pkgconfig
    export PKG_CONFIG_PATH
    [ "$(pkg-config --modversion alba)" = "$version" ] || fail "alba.pc has another version"
    # shellcheck disable=SC2046 # flags are words
    "$compiler" -std=c17 "$source/main.c" -o "$folder/shared" $(pkg-config --cflags --libs alba)
    runs "$folder/shared" "$library"
    if LD_LIBRARY_PATH="" "$folder/shared" >/dev/null 2>&1; then
        fail "the shared program runs without the library"
    fi
    # With no shared library to be found, -lalba is the archive; its needs come from the private
    # requirements.
    mkdir "$folder/archive"
    cp -R "$prefix" "$folder/archive/alba"
    rm "$folder/archive/alba/$libdir"/libalba.so*
    PKG_CONFIG_PATH=$folder/archive/alba/$libdir/pkgconfig
    # shellcheck disable=SC2046
    "$compiler" -std=c17 "$source/main.c" -o "$folder/static" $(pkg-config --static --cflags --libs alba)
    runs "$folder/static" ""
    unset PKG_CONFIG_PATH
else
    fail "pkg-config is missing"
fi

if "$cmake" -S "$source/consumer" -B "$folder/consumer" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" \
    >"$folder/log" 2>&1 && "$cmake" --build "$folder/consumer" >>"$folder/log" 2>&1; then
    runs "$folder/consumer/with_shared" ""
    runs "$folder/consumer/with_static" ""
else
    cat "$folder/log" >&2
    fail "the CMake package does not serve"
fi
exit $status
