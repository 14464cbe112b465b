package io.forewarn.acceptance.faults;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** One badly behaved caller: sends nonsense over one connection after the other, and notes every answer that is not right. */
final class MisbehavingCaller implements Runnable {
    private static final MalformedRequests[] KINDS = MalformedRequests.values();

    private final Random random;
    private final Supplier<BoundConnection> lines;
    private final MalformedRequests.Target target;
    private final AtomicLong left;
    private final ConcurrentLinkedQueue<String> wrong;
    private final Map<MalformedRequests, Integer> answered = new EnumMap<>(MalformedRequests.class);
    private BoundConnection line;

    MisbehavingCaller(
            long seed,
            Supplier<BoundConnection> lines,
            MalformedRequests.Target target,
            AtomicLong left,
            ConcurrentLinkedQueue<String> wrong) {
        this.random = new Random(seed);
        this.lines = lines;
        this.target = target;
        this.left = left;
        this.wrong = wrong;
    }

    @Override
    public void run() {
        try {
            while (left.getAndDecrement() > 0 && wrong.size() < 20) {
                // Most leave the connection usable; so there are far fewer connections than requests.
                MalformedRequests kind =
                        KINDS[random.nextInt(100) < 70 ? random.nextInt(6) : random.nextInt(KINDS.length)];
                bother(kind);
            }
        } catch (IOException | RuntimeException unexpected) {
            wrong.add("a caller met " + unexpected);
        } finally {
            hangUp();
        }
    }

    private void bother(MalformedRequests kind) throws IOException {
        byte[] bytes = kind.bytes(random, target);
        if (line == null) {
            line = lines.get();
        }
        try {
            line.send(bytes);
            if (kind.goesOn()) {
                note(kind, line.answer());
                return;
            }
            leave(kind);
        } catch (EOFException | SocketException closed) {
            // An idle connection may be closed under a caller; one that asked properly is answered before.
            if (kind.goesOn() && answered.containsKey(kind)) {
                answered.remove(kind);
            } else if (kind.goesOn()) {
                wrong.add(kind + " was not answered on " + target.list() + ": " + closed);
            }
        }
        hangUp();
    }

    /** Half wait for an answer, the rest close one side, or both, or are just gone. */
    private void leave(MalformedRequests kind) throws IOException {
        int manner = random.nextInt(4);
        if (manner == 0) {
            line.abandon();
            return;
        }
        if (manner == 1) {
            line.endSending();
        }
        line.patience(manner == 1 ? 10_000 : 3);
        try {
            note(kind, line.answer());
        } catch (SocketTimeoutException waiting) {
            if (manner == 1) {
                wrong.add(kind + " keeps a half-closed connection open");
            }
        }
    }

    private void note(MalformedRequests kind, BoundConnection.Answer answer) {
        answered.merge(kind, 1, Integer::sum);
        if (!kind.right(answer.status())) {
            wrong.add(kind + " was answered " + answer.status() + " on " + target.list() + ": " + answer.body());
        }
    }

    private void hangUp() {
        if (line != null) {
            line.abandon();
        }
        line = null;
    }

    static List<MalformedRequests.Target> targets(String token) {
        return List.of(
                new MalformedRequests.Target("Metadata: true\r\n", Server.POLL, Server.POLL, "api-version"),
                new MalformedRequests.Target(
                        "Authorization: " + token + "\r\n", "/v1/machines", "/v1/machines/set0_1/restart", "group"));
    }
}
