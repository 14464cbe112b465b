# The files of examples/cluster, for three addresses of loopback instead of three machines: earnest.sh EXAMPLES FOREWARN
set -euo pipefail
examples=$1 forewarn=$2
ip link set lo up
trap 'kill -9 $(jobs -p) 2>/dev/null || true' EXIT
"$examples/certificates" certs 127.0.0.11 127.0.0.12 127.0.0.13
here() { sed -e 's|10\.0\.0\.\([123]\)|127.0.0.1\1|g' -e "s|/etc/[a-z]*/|$PWD/$n/|g" -e "s|169.254.169.254:80|127.0.0.1$n:8169|" "$examples/$1"; }
for n in 1 2 3; do
  mkdir $n
  cp certs/ca.pem certs/127.0.0.1$n/*.pem $n/
  name=$(echo abc | cut -c$n)
  here member.env | sed -e "s|^\(ETCD_[A-Z_]*URLS\)=https://127.0.0.11|\1=https://127.0.0.1$n|" -e "s|^ETCD_NAME=a|ETCD_NAME=$name|" > $n/member.env
  (set -a; . $n/member.env; ETCD_DATA_DIR=$n/etcd exec etcd > $n/etcd.log 2>&1) &
  here forewarn.yaml > $n/forewarn.yaml
  here node.env | sed "s|127.0.0.11|127.0.0.1$n|" > $n/node.env
  echo 'machines: [{name: one, addresses: [127.0.0.1]}]' > $n/fleet.yaml
  (set -a; . $n/node.env; exec "$forewarn" serve --config $n/forewarn.yaml --ready-file $n/ready > $n/log 2>&1) &
done
for n in 1 2 3; do until [ -e $n/ready ]; do sleep 0.2; done; done
export FOREWARN_CA=1/ca.pem FOREWARN_URL=https://127.0.0.11:8170,https://127.0.0.12:8170,https://127.0.0.13:8170
# On a loaded machine etcd may take longer than a second to list its members by name.
for try in $(seq 60); do "$forewarn" status > status; grep -q '^etcd c' status && break; sleep 1; done
cat status
for n in 1 2 3; do "$forewarn" vm add more-$n --url https://127.0.0.1$n:8170; done
"$forewarn" doctor
