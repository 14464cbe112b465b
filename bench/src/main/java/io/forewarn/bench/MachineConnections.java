package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Many machines on one thread: each connection is bound to its machine's address, so the service knows its caller as it would
 * know a real one. A connection has at most one request under way.
 */
final class MachineConnections implements AutoCloseable {
    /** One machine's connection. */
    static final class Member {
        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocate(2048);
        private long asked;
        private int status;

        private Member(SocketChannel channel) {
            this.channel = channel;
        }

        int status() {
            return status;
        }
    }

    /** Is told of each answer, and says what goes on. */
    interface Answered {
        void by(Member member, long nanos) throws IOException;
    }

    private final Selector selector = Selector.open();
    private final List<Member> members = new ArrayList<>();
    private final int port;

    MachineConnections(int port) throws IOException {
        this.port = port;
    }

    Member join(String source) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.bind(new InetSocketAddress(source, 0));
        channel.connect(new InetSocketAddress("127.0.0.1", port));
        channel.configureBlocking(false);
        Member member = new Member(channel);
        channel.register(selector, SelectionKey.OP_READ, member);
        members.add(member);
        return member;
    }

    List<Member> join(int count, IntFunction<String> source) throws IOException {
        List<Member> joined = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            joined.add(join(source.apply(i)));
        }
        return joined;
    }

    void ask(Member member, byte[] request) throws IOException {
        member.asked = System.nanoTime();
        if (member.channel.write(ByteBuffer.wrap(request)) != request.length) {
            throw new IllegalStateException("the service does not read");
        }
    }

    /** Takes in answers for at most so long; returns how many came. */
    int listen(long millis, Answered answered) throws IOException {
        int[] came = {0};
        selector.select(
                key -> {
                    try {
                        Member member = (Member) key.attachment();
                        if (receive(member)) {
                            came[0]++;
                            answered.by(member, System.nanoTime() - member.asked);
                        }
                    } catch (IOException broken) {
                        throw new IllegalStateException(broken);
                    }
                },
                Math.max(1, millis));
        return came[0];
    }

    /** Whether the answer is whole now. */
    private static boolean receive(Member member) throws IOException {
        if (member.channel.read(member.in) < 0) {
            throw new IllegalStateException("the service closed a connection");
        }
        byte[] bytes = member.in.array();
        int length = member.in.position();
        int head = endOfHead(bytes, length);
        if (head < 0 || length < head + contentLength(bytes, head)) {
            return false;
        }
        member.status = (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + bytes[11] - '0';
        member.in.clear();
        return true;
    }

    private static int endOfHead(byte[] bytes, int length) {
        for (int i = 3; i < length; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private static final byte[] CONTENT_LENGTH = "content-length:".getBytes(US_ASCII);

    private static int contentLength(byte[] bytes, int head) {
        for (int i = 0; i < head; i++) {
            if (bytes[i] == '\n' && matches(bytes, i + 1, head)) {
                int length = 0;
                for (int j = i + 1 + CONTENT_LENGTH.length; bytes[j] != '\r'; j++) {
                    length = bytes[j] == ' ' ? length : 10 * length + bytes[j] - '0';
                }
                return length;
            }
        }
        return 0;
    }

    private static boolean matches(byte[] bytes, int at, int head) {
        for (int i = 0; i < CONTENT_LENGTH.length; i++) {
            if (at + i >= head || (bytes[at + i] | 0x20) != (CONTENT_LENGTH[i] | 0x20)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        for (Member member : members) {
            member.channel.close();
        }
        selector.close();
    }
}
