package io.forewarn.acceptance.cluster;

import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What goes wrong, for how long, what proves it, and how it becomes well again. */
enum Fault {
    WRITER_IS_KILLED {
        @Override
        void strike(Strike strike) throws Exception {
            kill(strike, strike.stopWriter());
        }
    },
    WRITER_IS_STOPPED {
        @Override
        void strike(Strike strike) throws Exception {
            int writer = strike.stopWriter();
            strike.lost(writer, "writer stopped");
            strike.pauseAroundALease();
            awaken(strike, writer);
        }
    },
    NODE_IS_STOPPED {
        @Override
        void strike(Strike strike) throws Exception {
            int node = strike.anyOf(Cluster.NODES);
            strike.lostIfWriter(node, "writer stopped");
            Server server = strike.cluster().node(node);
            server.signal("STOP");
            Strike.awaitStopped(server.pid());
            strike.pauseAroundALease();
            awaken(strike, node);
        }
    },
    MEMBER_IS_KILLED {
        @Override
        void strike(Strike strike) throws Exception {
            killMembers(strike, List.of(strike.anyOf(members(strike))));
        }
    },
    MEMBER_IS_STOPPED {
        @Override
        void strike(Strike strike) throws Exception {
            stopMembers(strike, List.of(strike.anyOf(members(strike))));
        }
    },
    TWO_MEMBERS_ARE_KILLED {
        @Override
        void strike(Strike strike) throws Exception {
            killMembers(strike, allBut(strike.anyOf(members(strike)), members(strike)));
        }
    },
    TWO_MEMBERS_ARE_STOPPED {
        @Override
        void strike(Strike strike) throws Exception {
            stopMembers(strike, allBut(strike.anyOf(members(strike)), members(strike)));
        }
    },
    MEMBER_HAS_A_SLOW_DISK {
        @Override
        void strike(Strike strike) throws Exception {
            int member = strike.anyOf(members(strike));
            try (SlowDisk disk = SlowDisk.of(strike.cluster().etcd().pid(member), 50 + strike.anyOf(450))) {
                strike.pause(2_000, 5_000);
                strike.prove(disk.delayed() > 0, "member " + member + " waited for its disk " + disk);
            }
        }
    },
    CLOCK_JUMPS {
        @Override
        void strike(Strike strike) throws Exception {
            int node = strike.anyOf(Cluster.NODES);
            int seconds = (strike.perhaps() ? 1 : -1) * (20 + strike.anyOf(7_200));
            long logged = strike.cluster().node(node).logged();
            strike.cluster().jump(node, seconds);
            try {
                strike.prove(
                        strike.cluster().saysItIsOff(node, seconds, logged),
                        "node " + node + " says that its clock is off by " + seconds + " s");
                if (strike.perhaps()) {
                    kill(strike, strike.stopWriter()); // Perhaps the one whose clock is off must take over.
                } else {
                    strike.pause(500, 3_000);
                }
            } finally {
                strike.cluster().jump(node, 0);
            }
        }
    },
    NODES_ARE_RESTARTED_IN_TURN {
        @Override
        void strike(Strike strike) throws Exception {
            for (int i = 0; i < Cluster.NODES; i++) {
                Server node = strike.cluster().node(i);
                long before = node.pid();
                strike.lostIfWriter(i, HANDED_OVER);
                node.signal("TERM");
                if (!node.process().waitFor(30, TimeUnit.SECONDS)) {
                    throw new AssertionError("a node does not end when told to" + node.log());
                }
                strike.back();
                node.start();
                strike.prove(Strike.isGone(before), "node " + i + " was restarted");
            }
        }
    },
    /** The writer's packets to etcd are lost, or those that come back: needs a network of one's own. */
    WRITER_IS_CUT_OFF {
        @Override
        void strike(Strike strike) throws Exception {
            int writer = strike.stopWriter();
            boolean there = strike.perhaps();
            try (Cut cut = there ? Cut.toEtcd(strike.cluster(), writer) : Cut.fromEtcd(strike.cluster(), writer)) {
                strike.lost(writer, "writer cut off");
                strike.cluster().node(writer).signal("CONT");
                strike.pauseAroundALease();
                prove(strike, cut, there ? "from the writer to etcd" : "from etcd to the writer");
            }
        }
    },
    /** Nobody hears from this node, neither etcd, nor other nodes, nor callers; it hears all of them. */
    NODE_IS_NOT_HEARD {
        @Override
        void strike(Strike strike) throws Exception {
            int node = strike.anyOf(Cluster.NODES);
            strike.lostIfWriter(node, "writer not heard");
            try (Cut cut = Cut.all(node)) {
                strike.pauseAroundALease();
                prove(strike, cut, "from node " + node);
            }
        }
    },
    /** Nodes reach etcd, and callers reach nodes, but what is to be passed on goes nowhere. */
    NODES_DO_NOT_HEAR_EACH_OTHER {
        @Override
        void strike(Strike strike) throws Exception {
            int writer = strike.cluster().awaitWriter();
            List<Integer> others = allBut(writer, Cluster.NODES);
            try (Cut cut = Cut.toNodes(strike.cluster(), strike.perhaps() ? others : others.subList(0, 1))) {
                strike.pause(1_000, 6_000);
                prove(strike, cut, "between nodes");
            }
        }
    },
    /** A member of etcd hears the others, who do not hear it: the leader, perhaps. */
    MEMBER_IS_NOT_HEARD {
        @Override
        void strike(Strike strike) throws Exception {
            int member = strike.anyOf(members(strike));
            try (Cut cut = Cut.toMembers(strike.cluster(), member)) {
                strike.pause(1_000, 7_000);
                prove(strike, cut, "from member " + member + " to the others");
            }
        }
    };

    static final String HANDED_OVER = "writer restarted";

    /** Returns when nothing is wrong any more, but everybody may still be busy with it. */
    abstract void strike(Strike strike) throws Exception;

    /** Whether it can be done here. */
    boolean possible(Cluster cluster) {
        return switch (this) {
            case CLOCK_JUMPS -> cluster.clocksCanJump();
            case WRITER_IS_CUT_OFF, NODE_IS_NOT_HEARD, NODES_DO_NOT_HEAR_EACH_OTHER, MEMBER_IS_NOT_HEARD ->
                Cut.possible();
            case MEMBER_HAS_A_SLOW_DISK -> SlowDisk.possible();
            default -> true;
        };
    }

    /** As a sentence has it. */
    String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void kill(Strike strike, int writer) throws Exception {
        Server node = strike.cluster().node(writer);
        node.kill();
        strike.lost(Vacancy.NOBODY, "writer killed");
        strike.prove(Strike.isGone(node.pid()), "node " + writer + " was killed");
        strike.pause(0, 3_000);
        node.start();
    }

    private static void awaken(Strike strike, int node) throws IOException, Strike.Missed {
        Server server = strike.cluster().node(node);
        boolean stopped = Strike.isStopped(server.pid());
        server.signal("CONT");
        strike.prove(stopped, "node " + node + " was stopped to the end");
    }

    private static void killMembers(Strike strike, List<Integer> members) throws Exception {
        for (int member : members) {
            strike.cluster().etcd().kill(member);
        }
        strike.pause(500, 4_500);
        boolean dead = members.stream()
                .allMatch(m -> Strike.isGone(strike.cluster().etcd().pid(m)));
        for (int member : members) {
            strike.cluster().etcd().begin(member);
        }
        for (int member : members) {
            strike.cluster().etcd().awaitPort(member);
        }
        strike.prove(dead, "members " + members + " were dead");
    }

    private static void stopMembers(Strike strike, List<Integer> members) throws Exception {
        for (int member : members) {
            strike.cluster().etcd().pause(member);
        }
        strike.pause(500, 6_500);
        boolean stopped = members.stream()
                .allMatch(m -> Strike.isStopped(strike.cluster().etcd().pid(m)));
        for (int member : members) {
            strike.cluster().etcd().resume(member);
        }
        strike.prove(stopped, "members " + members + " were stopped");
    }

    private static void prove(Strike strike, Cut cut, String where) throws IOException, Strike.Missed {
        long lost = cut.lost();
        strike.prove(lost > 0, lost + " packets " + where + " were lost");
    }

    private static int members(Strike strike) {
        return strike.cluster().etcd().members();
    }

    private static List<Integer> allBut(int left, int count) {
        return IntStream.range(0, count).filter(i -> i != left).boxed().toList();
    }
}
