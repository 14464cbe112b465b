package io.forewarn.acceptance.cluster;

import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What goes wrong, for how long, what proves it, and how it becomes well again. */
enum ClusterFault {
    WRITER_IS_KILLED {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            kill(faultInjection, faultInjection.stopWriter());
        }
    },
    WRITER_IS_STOPPED {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            int writer = faultInjection.stopWriter();
            faultInjection.lost(writer, "writer stopped");
            faultInjection.pauseAroundALease();
            awaken(faultInjection, writer);
        }
    },
    NODE_IS_STOPPED {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            int node = faultInjection.anyOf(Cluster.NODES);
            faultInjection.lostIfWriter(node, "writer stopped");
            Server server = faultInjection.cluster().node(node);
            server.signal("STOP");
            FaultInjection.awaitStopped(server.pid());
            faultInjection.pauseAroundALease();
            awaken(faultInjection, node);
        }
    },
    MEMBER_IS_KILLED {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            killMembers(faultInjection, List.of(faultInjection.anyOf(members(faultInjection))));
        }
    },
    MEMBER_IS_STOPPED {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            stopMembers(faultInjection, List.of(faultInjection.anyOf(members(faultInjection))));
        }
    },
    TWO_MEMBERS_ARE_KILLED {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            killMembers(faultInjection, allBut(faultInjection.anyOf(members(faultInjection)), members(faultInjection)));
        }
    },
    TWO_MEMBERS_ARE_STOPPED {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            stopMembers(faultInjection, allBut(faultInjection.anyOf(members(faultInjection)), members(faultInjection)));
        }
    },
    MEMBER_HAS_A_SLOW_DISK {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            int member = faultInjection.anyOf(members(faultInjection));
            try (SlowDisk disk =
                    SlowDisk.of(faultInjection.cluster().etcd().pid(member), 50 + faultInjection.anyOf(450))) {
                faultInjection.pause(2_000, 5_000);
                faultInjection.prove(disk.delayed() > 0, "member " + member + " waited for its disk " + disk);
            }
        }
    },
    CLOCK_JUMPS {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            int node = faultInjection.anyOf(Cluster.NODES);
            int seconds = (faultInjection.perhaps() ? 1 : -1) * (20 + faultInjection.anyOf(7_200));
            long logged = faultInjection.cluster().node(node).logged();
            faultInjection.cluster().jump(node, seconds);
            try {
                faultInjection.prove(
                        faultInjection.cluster().saysItIsOff(node, seconds, logged),
                        "node " + node + " says that its clock is off by " + seconds + " s");
                if (faultInjection.perhaps()) {
                    kill(
                            faultInjection,
                            faultInjection.stopWriter()); // Perhaps the one whose clock is off must take over.
                } else {
                    faultInjection.pause(500, 3_000);
                }
            } finally {
                faultInjection.cluster().jump(node, 0);
            }
        }
    },
    NODES_ARE_RESTARTED_IN_TURN {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            for (int i = 0; i < Cluster.NODES; i++) {
                Server node = faultInjection.cluster().node(i);
                long before = node.pid();
                faultInjection.lostIfWriter(i, HANDED_OVER);
                node.signal("TERM");
                if (!node.process().waitFor(30, TimeUnit.SECONDS)) {
                    throw new AssertionError("a node does not end when told to" + node.log());
                }
                faultInjection.back();
                node.start();
                faultInjection.prove(FaultInjection.isGone(before), "node " + i + " was restarted");
            }
        }
    },
    /** The writer's packets to etcd are lost, or those that come back: needs a network of one's own. */
    WRITER_IS_CUT_OFF {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            int writer = faultInjection.stopWriter();
            boolean there = faultInjection.perhaps();
            try (NetworkCut networkCut = there
                    ? NetworkCut.toEtcd(faultInjection.cluster(), writer)
                    : NetworkCut.fromEtcd(faultInjection.cluster(), writer)) {
                faultInjection.lost(writer, "writer cut off");
                faultInjection.cluster().node(writer).signal("CONT");
                faultInjection.pauseAroundALease();
                prove(faultInjection, networkCut, there ? "from the writer to etcd" : "from etcd to the writer");
            }
        }
    },
    /** Nobody hears from this node, neither etcd, nor other nodes, nor callers; it hears all of them. */
    NODE_IS_NOT_HEARD {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            int node = faultInjection.anyOf(Cluster.NODES);
            faultInjection.lostIfWriter(node, "writer not heard");
            try (NetworkCut networkCut = NetworkCut.all(node)) {
                faultInjection.pauseAroundALease();
                prove(faultInjection, networkCut, "from node " + node);
            }
        }
    },
    /** Nodes reach etcd, and callers reach nodes, but what is to be passed on goes nowhere. */
    NODES_DO_NOT_HEAR_EACH_OTHER {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            int writer = faultInjection.cluster().awaitWriter();
            List<Integer> others = allBut(writer, Cluster.NODES);
            try (NetworkCut networkCut = NetworkCut.toNodes(
                    faultInjection.cluster(), faultInjection.perhaps() ? others : others.subList(0, 1))) {
                faultInjection.pause(1_000, 6_000);
                prove(faultInjection, networkCut, "between nodes");
            }
        }
    },
    /** A member of etcd hears the others, who do not hear it: the leader, perhaps. */
    MEMBER_IS_NOT_HEARD {
        @Override
        void strike(FaultInjection faultInjection) throws Exception {
            int member = faultInjection.anyOf(members(faultInjection));
            try (NetworkCut networkCut = NetworkCut.toMembers(faultInjection.cluster(), member)) {
                faultInjection.pause(1_000, 7_000);
                prove(faultInjection, networkCut, "from member " + member + " to the others");
            }
        }
    };

    static final String HANDED_OVER = "writer restarted";

    /** Returns when nothing is wrong any more, but everybody may still be busy with it. */
    abstract void strike(FaultInjection faultInjection) throws Exception;

    /** Whether it can be done here. */
    boolean possible(Cluster cluster) {
        return switch (this) {
            case CLOCK_JUMPS -> cluster.clocksCanJump();
            case WRITER_IS_CUT_OFF, NODE_IS_NOT_HEARD, NODES_DO_NOT_HEAR_EACH_OTHER, MEMBER_IS_NOT_HEARD ->
                NetworkCut.possible();
            case MEMBER_HAS_A_SLOW_DISK -> SlowDisk.possible();
            default -> true;
        };
    }

    /** As a sentence has it. */
    String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void kill(FaultInjection faultInjection, int writer) throws Exception {
        Server node = faultInjection.cluster().node(writer);
        node.kill();
        faultInjection.lost(WriterVacancy.NOBODY, "writer killed");
        faultInjection.prove(FaultInjection.isGone(node.pid()), "node " + writer + " was killed");
        faultInjection.pause(0, 3_000);
        node.start();
    }

    private static void awaken(FaultInjection faultInjection, int node) throws IOException, FaultInjection.Missed {
        Server server = faultInjection.cluster().node(node);
        boolean stopped = FaultInjection.isStopped(server.pid());
        server.signal("CONT");
        faultInjection.prove(stopped, "node " + node + " was stopped to the end");
    }

    private static void killMembers(FaultInjection faultInjection, List<Integer> members) throws Exception {
        for (int member : members) {
            faultInjection.cluster().etcd().kill(member);
        }
        faultInjection.pause(500, 4_500);
        boolean dead = members.stream()
                .allMatch(m ->
                        FaultInjection.isGone(faultInjection.cluster().etcd().pid(m)));
        for (int member : members) {
            faultInjection.cluster().etcd().begin(member);
        }
        for (int member : members) {
            faultInjection.cluster().etcd().awaitPort(member);
        }
        faultInjection.prove(dead, "members " + members + " were dead");
    }

    private static void stopMembers(FaultInjection faultInjection, List<Integer> members) throws Exception {
        for (int member : members) {
            faultInjection.cluster().etcd().pause(member);
        }
        faultInjection.pause(500, 6_500);
        boolean stopped = members.stream()
                .allMatch(m ->
                        FaultInjection.isStopped(faultInjection.cluster().etcd().pid(m)));
        for (int member : members) {
            faultInjection.cluster().etcd().resume(member);
        }
        faultInjection.prove(stopped, "members " + members + " were stopped");
    }

    private static void prove(FaultInjection faultInjection, NetworkCut networkCut, String where)
            throws IOException, FaultInjection.Missed {
        long lost = networkCut.lost();
        faultInjection.prove(lost > 0, lost + " packets " + where + " were lost");
    }

    private static int members(FaultInjection faultInjection) {
        return faultInjection.cluster().etcd().members();
    }

    private static List<Integer> allBut(int left, int count) {
        return IntStream.range(0, count).filter(i -> i != left).boxed().toList();
    }
}
