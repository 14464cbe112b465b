package io.forewarn.server.forward;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests between nodes: an HMAC with the cluster's secret over the receiving node, method, path, content type,
 * idempotency key, the body's digest, caller, time and nonce, so that a request of another sender is rejected before its body is read. A
 * signature is valid once, at one node, and for half a minute of the cluster's time.
 *
 * <p>Nonces are forgotten when a node stops. A signature is therefore made for one run of a node and is invalid in the next.
 * Runs are distinguished by a random id and not by their start time, because clocks may differ. Any thread.
 */
public final class RequestSigner {
    static final String BOOT_ID = "Forewarn-Life";
    static final String CALLER = "Forewarn-Caller";
    static final String BODY = "Forewarn-Body";
    static final String TIME = "Forewarn-Time";
    static final String NONCE = "Forewarn-Nonce";
    static final String SIGNATURE = "Forewarn-Seal";

    private static final Duration VALIDITY = Duration.ofSeconds(30);
    private static final int MOST_NONCES = 500_000;
    private static final int SECRET_BYTES = 32;
    private static final int NONCE_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final String TYPE = "Content-Type";
    private static final String KEY = "Idempotency-Key";

    private final byte[] secret;
    private final String bootId = random(NONCE_BYTES);
    private final Supplier<String> own;
    private final Supplier<Instant> now;

    /** Nonces with their times, in the order in which they arrived. */
    private final Map<String, Instant> nonces = new LinkedHashMap<>();

    /** @param own this node's name */
    public RequestSigner(String secret, Supplier<String> own, Supplier<Instant> now) {
        this.secret = secret.getBytes(UTF_8);
        this.own = own;
        this.now = now;
    }

    public static String fresh() {
        return random(SECRET_BYTES);
    }

    private static String random(int bytes) {
        byte[] bits = new byte[bytes];
        RANDOM.nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    /** A key for another purpose, the same at all nodes of the cluster. */
    public byte[] derivedKey(String purpose) {
        return mac(purpose);
    }

    /** The id of this run of the node, which others need to sign requests for it. */
    public String bootId() {
        return bootId;
    }

    /**
     * Returns the headers of the signature and those that it covers.
     *
     * @param to the name of the receiving node
     * @param itsBootId the id of that node's run, as it published it
     */
    public Map<String, String> sign(String to, String itsBootId, ForwardedRequest request) {
        Map<String, String> headers = new HashMap<>();
        headers.put(BOOT_ID, itsBootId);
        headers.put(BODY, request.digest());
        headers.put(CALLER, Base64.getEncoder().encodeToString(request.caller().getBytes(UTF_8)));
        headers.put(TIME, now.get().toString());
        headers.put(NONCE, random(NONCE_BYTES));
        if (request.contentType() != null) {
            headers.put(TYPE, request.contentType());
        }
        if (request.key() != null) {
            headers.put(KEY, request.key());
        }
        headers.put(SIGNATURE, sign(to, request.method(), request.uri(), headers::get));
        return headers;
    }

    /** Returns what the signature covers. The caller must compare the digest of the body. */
    VouchedRequest check(String method, String uri, UnaryOperator<String> header) {
        if (Stream.of(BOOT_ID, BODY, CALLER, TIME, NONCE, SIGNATURE).anyMatch(name -> header.apply(name) == null)) {
            throw forbidden("it is not signed");
        }
        if (!header.apply(BOOT_ID).equals(bootId)) {
            // The sender does not know yet that this node was restarted.
            throw new NotDoneException("this was signed for an earlier run of this node; try again in a moment");
        }
        String right = sign(own.get(), method, uri, header);
        if (!MessageDigest.isEqual(
                right.getBytes(UTF_8), header.apply(SIGNATURE).getBytes(UTF_8))) {
            throw forbidden("its signature is wrong");
        }
        try {
            String caller = new String(Base64.getDecoder().decode(header.apply(CALLER)), UTF_8);
            checkTime(Instant.parse(header.apply(TIME)), header.apply(NONCE));
            return new VouchedRequest(caller, header.apply(BODY));
        } catch (IllegalArgumentException | java.time.DateTimeException malformed) {
            throw forbidden("it is malformed");
        }
    }

    private synchronized void checkTime(Instant at, String nonce) {
        Instant present = now.get();
        if (Duration.between(at, present).abs().compareTo(VALIDITY) > 0) {
            throw forbidden("it was signed at " + at + ", and now it is " + present);
        }
        forgetBefore(present.minus(VALIDITY));
        if (nonces.size() >= MOST_NONCES) {
            throw new RefusedException(
                    Problem.BUSY, "too many requests of other nodes at a time; try again in a moment");
        }
        if (nonces.putIfAbsent(nonce, at) != null) {
            throw forbidden("it is a duplicate");
        }
    }

    /** Stops at the first that is still valid: those behind it are about as new. */
    private void forgetBefore(Instant oldest) {
        Iterator<Instant> made = nonces.values().iterator();
        while (made.hasNext() && made.next().isBefore(oldest)) {
            made.remove();
        }
    }

    /** How many nonces are remembered. */
    synchronized int remembered() {
        return nonces.size();
    }

    private static RefusedException forbidden(String why) {
        return new RefusedException(Problem.FORBIDDEN, "only nodes of this cluster may send this: " + why);
    }

    /** Signs the headers as sent. A missing header and a blank one give different signatures. */
    private String sign(String to, String method, String uri, UnaryOperator<String> header) {
        StringBuilder text = new StringBuilder(String.join("\n", to, method, uri));
        for (String name : List.of(BOOT_ID, TYPE, KEY, BODY, CALLER, TIME, NONCE)) {
            String value = header.apply(name);
            text.append('\n').append(value == null ? "" : "=" + value);
        }
        return HexFormat.of().formatHex(mac(text.toString()));
    }

    private byte[] mac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
