package io.forewarn.server.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.server.control.Peers;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How a node shows that a request comes from a node: an HMAC with the cluster's secret over the node that is asked,
 * method, path, the body's digest, caller, time and nonce; a stranger is known by it before its body is read. It is good once,
 * at that node alone, and for half a minute of the cluster's time. Any thread.
 */
final class Seals {
    static final String CALLER = "Forewarn-Caller";
    static final String BODY = "Forewarn-Body";
    static final String TIME = "Forewarn-Time";
    static final String NONCE = "Forewarn-Nonce";
    static final String SEAL = "Forewarn-Seal";

    private static final Duration GOOD = Duration.ofSeconds(30);
    private static final int MOST_NONCES = 500_000;
    private static final int SECRET_BYTES = 32;
    private static final int NONCE_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] secret;
    private final Supplier<String> own;
    private final Supplier<Instant> now;

    /** When each was made, in the order they came. */
    private final Map<String, Instant> nonces = new LinkedHashMap<>();

    /** @param own this node's name */
    Seals(String secret, Supplier<String> own, Supplier<Instant> now) {
        this.secret = secret.getBytes(UTF_8);
        this.own = own;
        this.now = now;
    }

    static String fresh() {
        return random(SECRET_BYTES);
    }

    private static String random(int bytes) {
        byte[] bits = new byte[bytes];
        RANDOM.nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    /**
     * The headers that show it.
     *
     * @param to the name of the node that is asked
     * @param digest the SHA-256 of the body, in hex
     */
    Map<String, String> seal(String to, String method, String uri, String digest, String caller) {
        String time = now.get().toString();
        String nonce = random(NONCE_BYTES);
        return Map.of(
                BODY,
                digest,
                CALLER,
                Base64.getEncoder().encodeToString(caller.getBytes(UTF_8)),
                TIME,
                time,
                NONCE,
                nonce,
                SEAL,
                sign(to, method, uri, digest, caller, time, nonce));
    }

    /** What is vouched for. Whoever reads the body compares it. */
    Peers.Vouched check(String method, String uri, UnaryOperator<String> header) {
        String digest = header.apply(BODY);
        String time = header.apply(TIME);
        String nonce = header.apply(NONCE);
        String seal = header.apply(SEAL);
        String caller = header.apply(CALLER);
        if (digest == null || time == null || nonce == null || seal == null || caller == null) {
            throw stranger("it is not sealed");
        }
        try {
            String who = new String(Base64.getDecoder().decode(caller), UTF_8);
            String right = sign(own.get(), method, uri, digest, who, time, nonce);
            if (!MessageDigest.isEqual(right.getBytes(UTF_8), seal.getBytes(UTF_8))) {
                throw stranger("its seal is wrong");
            }
            checkTime(Instant.parse(time), nonce);
            return new Peers.Vouched(who, digest);
        } catch (IllegalArgumentException | java.time.DateTimeException malformed) {
            throw stranger("it is malformed");
        }
    }

    private synchronized void checkTime(Instant at, String nonce) {
        Instant present = now.get();
        if (Duration.between(at, present).abs().compareTo(GOOD) > 0) {
            throw stranger("it is of " + at + ", and it is " + present);
        }
        forgetBefore(present.minus(GOOD));
        if (nonces.size() >= MOST_NONCES) {
            throw new Refusal(Problem.BUSY, "too many requests of other nodes at a time; try again in a moment");
        }
        if (nonces.putIfAbsent(nonce, at) != null) {
            throw stranger("it came before");
        }
    }

    /** From the front, until one is met that is still good: those behind it are about as young. */
    private void forgetBefore(Instant oldest) {
        Iterator<Instant> made = nonces.values().iterator();
        while (made.hasNext() && made.next().isBefore(oldest)) {
            made.remove();
        }
    }

    /** How many are remembered. */
    synchronized int remembered() {
        return nonces.size();
    }

    private static Refusal stranger(String why) {
        return new Refusal(Problem.FORBIDDEN, "only nodes of this cluster may ask here: " + why);
    }

    private String sign(String to, String method, String uri, String digest, String caller, String time, String nonce) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            String text = String.join(
                    "\n",
                    to,
                    method,
                    uri,
                    digest,
                    Base64.getEncoder().encodeToString(caller.getBytes(UTF_8)),
                    time,
                    nonce);
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
