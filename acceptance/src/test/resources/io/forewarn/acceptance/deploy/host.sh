# Plays a host with two machines and somebody outside. Runs in namespaces of its own, so nothing here is seen by the real one.
# Then reads lines "WHERE SCRIPT" and answers "EXIT OUTPUT", script and output in base64.
room=$1
package=$2
export ROOM=$room/room
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

furnish() {
  set -e
  mkdir "$ROOM"
  mount -t tmpfs tmpfs "$ROOM"
  cp "$package" "$ROOM/"
  # The package is installed for real, over this machine's own files, and vanishes with the namespaces.
  cp -a /etc "$ROOM/etc"
  mount --bind "$ROOM/etc" /etc
  mkdir "$ROOM/usr" "$ROOM/work"
  mount -t overlay overlay -o "lowerdir=/usr,upperdir=$ROOM/usr,workdir=$ROOM/work" /usr
  cp -a /var/lib/dpkg "$ROOM/dpkg"
  for place in /opt /run /var/lib /var/cache /var/log; do mount -t tmpfs -o mode=755 tmpfs "$place"; done
  mkdir -p /run/netns /var/lib/misc /var/lib/dhcp /var/lib/dpkg /var/lib/apt/lists/partial /var/cache/apt/archives/partial /var/log/apt
  mount --bind "$ROOM/dpkg" /var/lib/dpkg
  cd "$ROOM"

  ip link set lo up
  for i in 0 1; do
    ip netns add "web_$i"
    ip link add "vm$i" type veth peer name eth0 netns "web_$i"
    ip -n "web_$i" link set eth0 address "52:54:00:00:00:1$i"
    ip -n "web_$i" link set lo up
  done
  ip netns add outside
  ip link add uplink type veth peer name eth0 netns outside
  ip address add 192.0.2.1/24 dev uplink
  ip link set uplink up
  ip -n outside address add 192.0.2.9/24 dev eth0
  ip -n outside link set eth0 up
  ip -n outside route add default via 192.0.2.1
}

furnish >&2 || exit 1
set +e
echo ready
while read -r where script; do
  printf %s "$script" | base64 -d > "$ROOM/script.$where"
  case $where in
    background) bash -eu "$ROOM/script.$where" > "$ROOM/background" 2>&1 < /dev/null & ;;
    host) timeout 120 bash -eu "$ROOM/script.$where" > "$ROOM/said" 2>&1 < /dev/null ;;
    *) timeout 120 ip netns exec "$where" bash -eu "$ROOM/script.$where" > "$ROOM/said" 2>&1 < /dev/null ;;
  esac
  echo "$? $(base64 -w0 "$ROOM/said" 2>/dev/null)"
done
