# A machine that polls and tries the next node when one does not answer: prints "scheduled NODE" for each poll, or what was wrong.
node=1
while :; do
  told=
  for _ in 1 2 3; do
    if document=$(curl -sf -m 2 --interface 127.0.0.1 -H Metadata:true "http://127.0.0.1$node:8169/metadata/scheduledevents?api-version=2020-07-01"); then
      case $document in *'"EventStatus":"Scheduled"'*) told=scheduled ;; *) told="without the event: $document" ;; esac
      break
    fi
    node=$((node % 3 + 1))
  done
  echo "${told:-missed} 127.0.0.1$node"
  sleep 0.25
done
