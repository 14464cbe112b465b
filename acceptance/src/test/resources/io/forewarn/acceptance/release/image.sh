# Runs the image under podman, with a host that publishes its ports by address translation and a caller outside: image.sh ARCHIVE FOLDER
# In namespaces of its own, so nothing here is seen by the real machine.
archive=$1 folder=$2
exec 2>&1
PATH=/usr/sbin:/usr/bin:/sbin:/bin
umount -R -l /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs tmpfs /run
mkdir -p /run/netns
# The host has a bridge to the container and a wire to the caller; what comes in for its ports goes to the container, with the host's own address.
ip link set lo up
ip netns add container
ip netns add caller
ip link add host0 type veth peer name eth0 netns container
ip address add 10.88.0.1/24 dev host0
ip link set host0 up
ip -n container address add 10.88.0.2/24 dev eth0
ip -n container link set lo up
ip -n container link set eth0 up
ip -n container route add default via 10.88.0.1
ip link add uplink type veth peer name eth0 netns caller
ip address add 192.0.2.1/24 dev uplink
ip link set uplink up
ip -n caller address add 192.0.2.9/24 dev eth0
ip -n caller link set eth0 up
echo 1 > /proc/sys/net/ipv4/ip_forward
nft -f - <<'N'
table ip published {
  chain in { type nat hook prerouting priority -100; iifname "uplink" tcp dport 8169-8178 dnat to 10.88.0.2; }
  chain out { type nat hook postrouting priority 100; oifname "host0" masquerade; }
}
N
mkdir "$folder/root" "$folder/run" "$folder/tmp"
podman=(podman --root "$folder/root" --runroot "$folder/run" --tmpdir "$folder/tmp" --cgroup-manager=cgroupfs --events-backend=file --storage-driver=overlay)
trap '"${podman[@]}" rm -f -t 0 forewarn >/dev/null 2>&1; "${podman[@]}" volume rm -f data >/dev/null 2>&1; umount -l "$folder"/root/overlay 2>/dev/null || :' EXIT
run() {
  "${podman[@]}" run -d --name forewarn --read-only --read-only-tmpfs=false -v data:/var/lib/forewarn --network=ns:/run/netns/container \
    --cgroups=disabled --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 forewarn >/dev/null 2>&1
}
as_caller() { ip netns exec caller curl -s -m 5 "$@"; }
poll() { as_caller -H Metadata:true "http://192.0.2.1:$1/metadata/scheduledevents?api-version=2020-07-01"; echo; }
ready() {
  for ((i = 0; i < 600; i++)); do
    ! as_caller -f -o /dev/null http://192.0.2.1:8170/readyz || return 0
    sleep 0.1
  done
  "${podman[@]}" logs forewarn
  return 1
}
"${podman[@]}" load -q -i "$archive"
run
ready
echo '--- next ---'
"${podman[@]}" logs forewarn
echo '--- next ---'
poll 8169
for port in 8169 8171 8178; do as_caller -H Metadata:true "http://192.0.2.1:$port/metadata/instance/compute/name?api-version=2021-02-01&format=text"; echo; done
echo '--- next ---'
"${podman[@]}" exec forewarn forewarn vm restart FrontEnd_IN_0
poll 8169
token=$("${podman[@]}" exec forewarn forewarn token add me --role operator 2>/dev/null)
as_caller -f -o /dev/null -H "Authorization: Bearer $token" http://192.0.2.1:8170/v1/machines && echo token accepted
as_caller -o /dev/null -w '%{http_code}\n' http://192.0.2.1:8170/v1/machines
echo '--- next ---'
"${podman[@]}" exec forewarn sh -c 'echo x > /etc/x' || :
"${podman[@]}" exec forewarn sh -c 'echo x > /tmp/x' || :
"${podman[@]}" exec forewarn id
"${podman[@]}" healthcheck run forewarn && echo healthy
echo '--- next ---'
"${podman[@]}" kill -s KILL forewarn >/dev/null
"${podman[@]}" start forewarn >/dev/null 2>&1
ready
poll 8169
echo '--- next ---'
"${podman[@]}" rm -f -t 10 forewarn >/dev/null 2>&1
run
ready
poll 8169
