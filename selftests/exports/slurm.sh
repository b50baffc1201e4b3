#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace merge under Slurm: 64 captures and one large one in parts over four nodes of this machine. One node
# is killed while it works, and its task runs again elsewhere. Three trees of merges have the same bytes, and
# so has GNU parallel without a cluster. TAP.
#
#   slurm.sh DIR       DIR has many/*.data, large.data, symfs; V9TRACE=PROGRAM
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$1" || exit 2
. "$top/selftests/exports/consumer.inc"
work=$PWD
here=$work/slurm
mkdir -p "$here/state" "$here/log" "$here/shards" "$here/parts" "$here/ran"
# A name is resolved only where there is an address beside 127.0.0.1.
ip link set lo up
ip address add 10.0.0.1/32 dev lo
hostname localhost	# in a namespace of its own
name=localhost
daemons=

# Ends what was started here, by number: daemons, and what they started.
has() { tr '\0' '\n' 2>/dev/null <"$1/environ" | grep -qx "$2"; }
of_node() {	# NODE: the numbers of its daemon and its task, and of what supervises the task
	for p in /proc/[0-9]*; do
		if has "$p" "SLURM_CONF=$SLURM_CONF" && { has "$p" "V9_NODE=$1" || has "$p" "SLURMD_NODENAME=$1"; }; then
			echo "${p#/proc/}"
			parent=$(awk '$1 == "PPid:" { print $2 }' "$p/status")
			case $(cat "/proc/$parent/comm" 2>/dev/null) in slurmstepd*) echo "$parent" ;; esac
		fi
	done | sort -u
}
stop() {
	for node in n1 n2 n3 n4; do kill -9 $(of_node $node) 2>/dev/null; done
	for d in $daemons; do kill "$d" 2>/dev/null; done
	for d in $daemons; do
		until_ 10 gone "$d" || kill -9 "$d"
	done
}
trap stop EXIT

gone() { ! kill -0 "$1" 2>/dev/null; }

# until_ SECONDS COMMAND...: the command succeeds before a long time is over
until_() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.3
	done
}

# ---- the cluster

dd if=/dev/urandom of="$here/munge.key" bs=128 count=1 2>/dev/null
chmod 600 "$here/munge.key"
/usr/sbin/munged --force --foreground --key-file="$here/munge.key" --socket="$here/munge.socket" \
	--pid-file="$here/munge.pid" --log-file="$here/log/munged" --seed-file="$here/munge.seed" &
daemons="$daemons $!"
cat >"$here/slurm.conf" <<END
ClusterName=v9
SlurmctldHost=$name(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$here/munge.socket
CredType=cred/munge
SlurmctldPort=16817
StateSaveLocation=$here/state
SlurmctldPidFile=$here/ctld.pid
SlurmdPidFile=$here/%n.pid
SlurmdSpoolDir=$here/spool-%n
SlurmctldLogFile=$here/log/ctld
SlurmdLogFile=$here/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=1
SlurmdTimeout=40
JobRequeue=1
SchedulerParameters=batch_sched_delay=0,sched_interval=2
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname=$name Port=17001 CPUs=1
NodeName=n2 NodeAddr=127.0.0.1 NodeHostname=$name Port=17002 CPUs=1
NodeName=n3 NodeAddr=127.0.0.1 NodeHostname=$name Port=17003 CPUs=1
NodeName=n4 NodeAddr=127.0.0.1 NodeHostname=$name Port=17004 CPUs=1
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
END
echo CgroupPlugin=disabled >"$here/cgroup.conf"
export SLURM_CONF=$here/slurm.conf
until_ 60 [ -S "$here/munge.socket" ]
/usr/sbin/slurmctld -D -c >"$here/log/ctld.out" 2>&1 &
daemons="$daemons $!"
for node in n1 n2 n3 n4; do
	mkdir -p "$here/spool-$node"
	V9_NODE=$node /usr/sbin/slurmd -D -N $node >"$here/log/$node.out" 2>&1 &
	daemons="$daemons $!"
done
idle() { [ "$(sinfo -h -N -o '%t' 2>/dev/null | grep -c '^idle$')" = "$1" ]; }
if until_ 120 idle 4; then ok four_nodes; else
	not_ok four_nodes "$(sinfo -h -N -o '%N %t %E' 2>&1 | tr '\n' '|') $(tail -n 1 "$here/log/ctld")"
	finish
fi

# ---- 64 captures, a task each; the node of task 17 is killed while the task waits for its file "go"

cat >"$here/shard.sh" <<'END'
#!/bin/sh
#SBATCH --array=1-64 --requeue
echo "$SLURMD_NODENAME ${SLURM_RESTART_COUNT:-0}" >>"$HERE/ran/$SLURM_ARRAY_TASK_ID"
if [ "$SLURM_ARRAY_TASK_ID" = 17 ]; then
	while [ ! -e "$HERE/go" ]; do sleep 0.2; done
fi
exec "$V9TRACE" merge -o "$HERE/shards/$SLURM_ARRAY_TASK_ID.shard" "$DIR/many/$SLURM_ARRAY_TASK_ID.data"
END
export HERE=$here DIR=$work V9TRACE
job=$(sbatch --parsable --export=ALL -o "$here/log/task-%a" "$here/shard.sh" 2>err)
if ! until_ 300 [ -s "$here/ran/17" ]; then
	not_ok array "task 17 does not run: $(squeue -h 2>&1 | head -n 3 | tr '\n' '|') $(cat err)"
	finish
fi
read -r node _ <"$here/ran/17"
done_before=$(find "$here/shards" -name '*.shard' | wc -l)
# They are stopped first: a daemon that lives longer than the task would report that it has ended.
processes=$(of_node "$node")
kill -STOP $processes
kill -9 $processes
: >"$here/go"
all_there() { [ "$(find "$here/shards" -name '*.shard' | wc -l)" = 64 ] && [ -z "$(squeue -h -j "$job" 2>/dev/null)" ]; }
if until_ 600 all_there; then ok array; else
	not_ok array "$(find "$here/shards" -name '*.shard' | wc -l) shards, $(squeue -h 2>&1 | head -n 3 | tr '\n' '|')"
	finish
fi
# It ran twice, the second time on another node, and others had not been there yet.
if [ "$(wc -l <"$here/ran/17")" = 2 ] && ! tail -n 1 "$here/ran/17" | grep -q "^$node " &&
   tail -n 1 "$here/ran/17" | grep -q ' 1$' && [ "$done_before" -lt 64 ]
then ok task_of_the_killed_node_ran_again; else not_ok task_of_the_killed_node_ran_again "$(tr '\n' '|' <"$here/ran/17")"; fi
nodes=$(cat "$here"/ran/* | awk '{ print $1 }' | sort -u | wc -l)
[ "$nodes" = 4 ] && ok tasks_on_all_nodes || not_ok tasks_on_all_nodes "$nodes"

# ---- one large capture in parts, on the three nodes that are left and on the one that comes back

V9_NODE=$node /usr/sbin/slurmd -D -N "$node" >"$here/log/$node.again" 2>&1 &
daemons="$daemons $!"
until_ 120 idle 4 || echo "# a node did not come back: $(sinfo -h -N -o '%N %t' | tr '\n' '|')"
cat >"$here/part.sh" <<'END'
#!/bin/sh
#SBATCH --array=1-4 --requeue
exec "$V9TRACE" merge --symfs "$DIR/symfs" --part "$SLURM_ARRAY_TASK_ID/4" \
	-o "$HERE/parts/$SLURM_ARRAY_TASK_ID.shard" "$DIR/large.data"
END
sbatch --wait --parsable -o "$here/log/part-%a" "$here/part.sh" >out 2>err
status=$?
"$V9TRACE" merge --symfs symfs -o whole.shard large.data 2>err
"$V9TRACE" merge -o parts.shard "$here"/parts/*.shard 2>>err
if [ $status = 0 ] && [ -s whole.shard ] && cmp -s whole.shard parts.shard; then ok parts_of_a_large_capture
else not_ok parts_of_a_large_capture "status $status, $(tail -n 1 err)"; fi

# ---- three trees: all at once; in steps of eight on the cluster; one after the other, backwards

"$V9TRACE" merge -o at_once.shard "$here"/shards/*.shard parts.shard 2>err
cat >"$here/step.sh" <<'END'
#!/bin/sh
#SBATCH --array=0-7 --requeue
set --
for i in 1 2 3 4 5 6 7 8; do set -- "$@" "$HERE/shards/$((SLURM_ARRAY_TASK_ID * 8 + i)).shard"; done
exec "$V9TRACE" merge -o "$HERE/step-$SLURM_ARRAY_TASK_ID.shard" "$@"
END
sbatch --wait --parsable -o "$here/log/step-%a" "$here/step.sh" >out 2>err
"$V9TRACE" merge -o steps.shard parts.shard "$here"/step-*.shard 2>err
cp parts.shard chain.shard
for i in $(seq 64 -1 1); do
	"$V9TRACE" merge -o next.shard "$here/shards/$i.shard" chain.shard 2>err && mv next.shard chain.shard
done
for tree in steps chain; do
	if [ -s at_once.shard ] && cmp -s at_once.shard $tree.shard; then ok "tree_$tree"; else not_ok "tree_$tree" "$(head -n 1 err)"; fi
done
"$V9TRACE" report --json --limit 0 at_once.shard 2>err >report.json
want=$(for c in many/*.data; do "$V9TRACE" report --json "$c" 2>err; done |
	python3 -c 'import json, sys
d, s, n = json.JSONDecoder(), sys.stdin.read(), 0
while s.strip():
    doc, at = d.raw_decode(s.lstrip())
    s, n = s.lstrip()[at:], n + doc["summary"]["records"]
print(n)')
got=$(python3 -c 'import json; d = json.load(open("report.json")); print(sum(s["samples"] or 0 for s in d["sources"] if s["kind"] == "spe"))')
if [ "$got" = "$want" ] && [ "$got" -gt 64000 ]; then ok records_of_all; else not_ok records_of_all "$got, want $want"; fi

# ---- GNU parallel

mkdir -p parallel
ls many/*.data | parallel -j 4 --halt now,fail=1 "$V9TRACE" merge -o parallel/{/.}.shard {} 2>err
status=$?
"$V9TRACE" merge -o parallel.shard parallel/*.shard parts.shard 2>>err
if [ $status = 0 ] && cmp -s at_once.shard parallel.shard; then ok parallel; else not_ok parallel "status $status, $(tail -n 1 err)"; fi
echo "# $(find "$here/shards" -name '*.shard' -printf '%s\n' | awk '{ n += $1 } END { print n, "bytes in", NR, "shards" }'), $(wc -c <at_once.shard) bytes in one"
finish
