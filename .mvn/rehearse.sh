#!/usr/bin/env bash
# Runs the program the way people do and writes down which classes it loads:
# rehearse.sh JAVA CLASSPATH COMMAND_PATH LIST COMMAND_LIST
# A scene that fails costs speed at the next start, nothing else.
set -u
java=$1 classpath=$2 command_path=$3 list=$4 command_list=$5
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cd "$stage" || exit 1
for setting in "${!FOREWARN_@}"; do unset "$setting"; done
export XDG_RUNTIME_DIR=$stage
# The one who runs a scene must be the process that gets the signal, so these are words and not a function.
play=(timeout 60 "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$classpath")
ask=(timeout 60 "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djdk.reflect.useNativeAccessorOnly=true -cp "$command_path")

"${play[@]}" -XX:DumpLoadedClassList=serve.list io.forewarn.cli.Main \
  serve --store "sqlite:$stage/store" --metadata 127.0.0.1:0 --control 127.0.0.1:0 --ready-file ready &
server=$!
"${play[@]}" -XX:DumpLoadedClassList=help.list io.forewarn.cli.Main --help
for ((tenths = 0; tenths < 300; tenths++)); do
  [ ! -e ready ] || break
  sleep 0.1
done
read -r _ metadata control < ready
events="http://${metadata#metadata=}/metadata/scheduledevents?api-version=2020-07-01"
export FOREWARN_URL=http://${control#control=}
curl -sS -m 5 -H Metadata:true "$events"
"${ask[@]}" -XX:DumpLoadedClassList=restart.list io.forewarn.cli.Main vm restart FrontEnd_IN_0
id=$(curl -sS -m 5 -H Metadata:true "$events" | grep -o '[0-9A-F-]\{36\}' | head -n 1)
curl -sS -m 5 -H Metadata:true -d "{\"StartRequests\":[{\"EventId\":\"$id\"}]}" "$events"
"${ask[@]}" -XX:DumpLoadedClassList=list.list io.forewarn.cli.Main vm list
"${ask[@]}" -XX:DumpLoadedClassList=status.list io.forewarn.cli.Main status
"${ask[@]}" -XX:DumpLoadedClassList=events.list io.forewarn.cli.Main event list
kill -TERM "$server"
wait "$server"

# Ids and sources number the classes of one run; across runs only the names agree.
merge() { cat "$@" | grep -a -v -e ' source: ' -e '^#' -e '^@cp' | sed 's/ id: [0-9]*$//' | awk '!seen[$0]++'; }
merge serve.list help.list restart.list > "$list"
merge restart.list list.list status.list events.list > "$command_list"
