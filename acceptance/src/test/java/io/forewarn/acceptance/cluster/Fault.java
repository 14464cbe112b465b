package io.forewarn.acceptance.cluster;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What goes wrong, for how long, and how it becomes well again. */
enum Fault {
    WRITER_IS_KILLED {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            int writer = cluster.awaitWriter();
            cluster.node(writer).kill();
            pause(random.nextInt(3_000));
            cluster.node(writer).start();
        }
    },
    WRITER_IS_STOPPED {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            // Sometimes shorter than a lease, sometimes longer: then it finds another in its place.
            int writer = cluster.awaitWriter();
            cluster.node(writer).signal("STOP");
            pause(500 + random.nextInt(7_000));
            cluster.node(writer).signal("CONT");
        }
    },
    NODE_IS_STOPPED {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            int node = random.nextInt(Cluster.NODES);
            cluster.node(node).signal("STOP");
            pause(500 + random.nextInt(5_000));
            cluster.node(node).signal("CONT");
        }
    },
    MEMBER_IS_KILLED {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            int member = random.nextInt(cluster.etcd().members());
            cluster.etcd().kill(member);
            pause(random.nextInt(4_000));
            cluster.etcd().begin(member);
            cluster.etcd().awaitPort(member);
        }
    },
    MEMBER_IS_STOPPED {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            int member = random.nextInt(cluster.etcd().members());
            cluster.etcd().pause(member);
            pause(500 + random.nextInt(6_000));
            cluster.etcd().resume(member);
        }
    },
    TWO_MEMBERS_ARE_KILLED {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            int left = random.nextInt(cluster.etcd().members());
            for (int member = 0; member < cluster.etcd().members(); member++) {
                if (member != left) {
                    cluster.etcd().kill(member);
                }
            }
            pause(1_000 + random.nextInt(4_000));
            for (int member = 0; member < cluster.etcd().members(); member++) {
                if (member != left) {
                    cluster.etcd().begin(member);
                }
            }
        }
    },
    TWO_MEMBERS_ARE_STOPPED {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            int left = random.nextInt(cluster.etcd().members());
            for (int member = 0; member < cluster.etcd().members(); member++) {
                if (member != left) {
                    cluster.etcd().pause(member);
                }
            }
            pause(1_000 + random.nextInt(5_000));
            for (int member = 0; member < cluster.etcd().members(); member++) {
                if (member != left) {
                    cluster.etcd().resume(member);
                }
            }
        }
    },
    MEMBER_HAS_A_SLOW_DISK {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            int member = random.nextInt(cluster.etcd().members());
            String delay = "delay_enter=" + (50_000 + random.nextInt(450_000));
            Process strace = new ProcessBuilder(
                            "strace",
                            "-f",
                            "-qq",
                            "-o",
                            "/dev/null",
                            "-e",
                            "trace=fdatasync,fsync",
                            "-e",
                            "inject=fdatasync,fsync:" + delay,
                            "-p",
                            Long.toString(cluster.etcd().pid(member)))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            pause(2_000 + random.nextInt(3_000));
            strace.destroy();
            strace.onExit().join();
        }
    },
    CLOCK_JUMPS {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            int writer = cluster.awaitWriter();
            int node = random.nextInt(Cluster.NODES);
            int seconds = (random.nextBoolean() ? 1 : -1) * (2 + random.nextInt(7_200));
            cluster.shiftClock(node, seconds);
            pause(1_500); // It is read once a second.
            if (node != writer && random.nextBoolean()) {
                cluster.node(writer).kill(); // Perhaps the one whose clock is off must take over.
                pause(random.nextInt(5_000));
                cluster.node(writer).start();
            } else {
                pause(random.nextInt(3_000));
            }
            cluster.shiftClock(node, 0);
        }
    },
    NODES_ARE_RESTARTED_IN_TURN {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            for (int i = 0; i < Cluster.NODES; i++) {
                cluster.node(i).signal("TERM");
                if (!cluster.node(i).process().waitFor(30, TimeUnit.SECONDS)) {
                    throw new AssertionError(
                            "a node does not end when told to" + cluster.node(i).log());
                }
                cluster.node(i).start();
            }
        }
    },
    /** The writer's packets to etcd are lost, or those that come back: needs a network of one's own. */
    WRITER_IS_CUT_OFF {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            int writer = cluster.awaitWriter();
            try (Cut cut = random.nextBoolean() ? Cut.toEtcd(cluster, writer) : Cut.fromEtcd(cluster, writer)) {
                cut.last(500 + random.nextInt(7_000));
            }
        }
    },
    /** Nobody hears from this node, neither etcd, nor other nodes, nor callers; it hears all of them. */
    NODE_IS_NOT_HEARD {
        @Override
        void strike(Cluster cluster, Random random) throws Exception {
            try (Cut cut = Cut.all(random.nextInt(Cluster.NODES))) {
                cut.last(500 + random.nextInt(6_000));
            }
        }
    };

    /** Returns when nothing is wrong any more, but everybody may still be busy with it. */
    abstract void strike(Cluster cluster, Random random) throws Exception;

    /** Whether it can be done here. */
    boolean possible(Cluster cluster) {
        return switch (this) {
            case CLOCK_JUMPS -> cluster.clocksCanBeShifted();
            case WRITER_IS_CUT_OFF, NODE_IS_NOT_HEARD -> Cut.possible();
            case MEMBER_HAS_A_SLOW_DISK -> runs("strace", "-o", "/dev/null", "true");
            default -> true;
        };
    }

    private static boolean runs(String... command) {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
