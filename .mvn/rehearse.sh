#!/usr/bin/env bash
# Runs the program the way people do and writes down which classes it loaded: rehearse.sh JAVA CLASSPATH LIST
set -u
java=$1 classpath=$2 list=$3
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cd "$stage" || exit 1
turns=0
play() {
  turns=$((turns + 1))
  timeout 30 "$java" -Xshare:auto -XX:DumpLoadedClassList="$stage/$turns.list" -cp "$classpath" io.forewarn.cli.Main "$@"
}

play --version
play vm list --help
FOREWARN_URL=http://127.0.0.1:1 play status

# Ids and sources number the classes of one run; across runs only the names agree.
cat ./*.list | grep -v -e ' source: ' -e '^#' -e '^@cp' | sed 's/ id: [0-9]*$//' | awk '!seen[$0]++' > "$list"
