#!/bin/sh
# Called by cargo in place of rustc: compiles for the fuzzer what does not run at build time.
# csv_core goes without: it makes its tables anew for each reader, and a fuzzer that watches
# every comparison of that is five times as slow.
rustc=$1
shift
case " $* " in
*" --crate-name csv_core "*) exec "$rustc" "$@" ;;
# The flags are words.
# shellcheck disable=SC2086
*" --target "*) exec "$rustc" "$@" $FUZZ_FLAGS ;;
*) exec "$rustc" "$@" ;;
esac
