# Boots a Debian system with systemd as process 1, in namespaces of its own: machine.sh ROOT FOLDER own|shared
# ROOT is a Debian root that is only read; what the machine writes is kept in FOLDER, so that it can be booted again.
# The last word says whether it gets a network of its own or shares that of the caller.
set -eu
root=$1 folder=$2 network=$3
PATH=/usr/sbin:/usr/bin:/sbin:/bin

if [ -z "${MACHINE_STAGE:-}" ]; then
  # A control group of its own, which the namespace then takes for the whole hierarchy.
  groups=$folder/groups
  mkdir -p "$groups" "$folder/written" "$folder/work" "$folder/top"
  mount -t cgroup2 none "$groups"
  own=$groups/forewarn-test-$$
  mkdir -p "$own"
  echo $$ > "$own/cgroup.procs"
  apart=--net
  [ "$network" = own ] || apart=
  # shellcheck disable=SC2086 # nothing, or one word
  MACHINE_STAGE=2 exec unshare $apart --pid --uts --ipc --cgroup --fork --kill-child bash "$0" "$@"
fi

top=$folder/top
mount -t overlay overlay -o "lowerdir=$root,upperdir=$folder/written,workdir=$folder/work" "$top"
mount -t proc proc "$top/proc"
mount -t sysfs sysfs "$top/sys"
mount -t cgroup2 none "$top/sys/fs/cgroup"
# Its own devices: nothing in here may touch those of the real machine.
mount -t tmpfs -o mode=755 tmpfs "$top/dev"
for device in null zero full random urandom tty; do
  : > "$top/dev/$device"
  mount --bind "/dev/$device" "$top/dev/$device"
done
mkdir "$top/dev/pts" "$top/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$top/dev/pts"
ln -s pts/ptmx "$top/dev/ptmx"
ln -s /proc/self/fd "$top/dev/fd"
: > "$top/dev/console"
mount --bind "$folder/console" "$top/dev/console"
mount -t tmpfs -o mode=755 tmpfs "$top/run"
mount -t tmpfs tmpfs "$top/tmp"
mkdir -p "$top/packages"
mount --bind "$folder/packages" "$top/packages"
hostname debian
ip link set lo up
cd "$top"
mkdir -p old
pivot_root . old
umount -l old
exec env -i container=lxc PATH="$PATH" /sbin/init systemd.unit=multi-user.target
