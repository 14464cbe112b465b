package io.forewarn.server.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.ApiToken;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs the cookies of browser sessions and checks them. A session is nothing but a signed reference to a token, with an
 * end: every node that has the key accepts it, and it ends as soon as its token is revoked.
 *
 * <p>Browsers send cookies on their own, so a cookie counts only if the request comes from the console itself: the
 * browser must say so ({@code Sec-Fetch-Site}, {@code Origin}), and a change needs a header that no other site can add.
 */
final class SessionCookies {
    /** A header that the console adds to every change, and that a form or another site's script cannot. */
    static final String HEADER = "Forewarn-Console";

    static final Duration LIFETIME = Duration.ofHours(12);

    private static final String ALGORITHM = "HmacSHA256";
    private static final int FIELDS = 3;
    private static final int NAME_DIGITS = 8;

    /**
     * What a valid cookie says.
     *
     * @param token the name of its token
     * @param createdAt of the token: another one may get its name later
     * @param until when the session ends, by the machine's clock
     */
    record Session(String token, Instant createdAt, Instant until) {}

    private final byte[] key;
    private final Supplier<Instant> machineTime;
    private final boolean secure;
    private final String name;

    /** @param key shared by all nodes */
    SessionCookies(byte[] key, Supplier<Instant> machineTime, boolean secure) {
        this.key = key.clone();
        this.machineTime = machineTime;
        this.secure = secure;
        // Browsers share cookies among all ports of a host: services on one host must not overwrite each other's.
        String service = Secrets.hex(mac("name")).substring(0, NAME_DIGITS);
        this.name = (secure ? "__Host-" : "") + "forewarn-" + service;
    }

    /** The name of the cookie. */
    String name() {
        return name;
    }

    /** Null if the request has no cookie of ours. Refuses one that is not valid, or comes from elsewhere. */
    Session read(HttpServerRequest request) {
        Cookie cookie = request.getCookie(name);
        if (cookie == null) {
            return null;
        }
        mustComeFromConsole(request);
        Session session = parse(cookie.getValue());
        if (session == null || !machineTime.get().isBefore(session.until())) {
            throw new RefusedException(Problem.UNAUTHENTICATED, "the session has ended; sign in again");
        }
        return session;
    }

    private static void mustComeFromConsole(HttpServerRequest request) {
        boolean reads = request.method().name().equals("GET");
        String site = request.getHeader("Sec-Fetch-Site");
        boolean sameSite = site == null || site.equals("same-origin") || reads && site.equals("none");
        String origin = request.getHeader("Origin");
        boolean sameOrigin =
                origin == null || origin.replaceFirst("^https?://", "").equalsIgnoreCase(request.getHeader("Host"));
        if (!sameSite || !sameOrigin || !reads && request.getHeader(HEADER) == null) {
            throw new RefusedException(
                    Problem.FORBIDDEN,
                    "a session cookie counts only in requests of the console itself; programs use a token");
        }
    }

    /** @return when the session ends */
    Instant write(HttpServerRequest request, ApiToken token) {
        Instant until = Instant.ofEpochSecond(machineTime.get().plus(LIFETIME).getEpochSecond());
        String said = token.name() + "\n" + token.createdAt() + "\n" + until.getEpochSecond();
        String value = encode(said.getBytes(UTF_8)) + "." + encode(mac(said));
        request.response().addCookie(cookie(value, LIFETIME.toSeconds()));
        return until;
    }

    void clear(HttpServerRequest request) {
        request.response().addCookie(cookie("", 0));
    }

    private Cookie cookie(String value, long seconds) {
        return Cookie.cookie(name, value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(secure)
                .setSameSite(CookieSameSite.STRICT)
                .setMaxAge(seconds);
    }

    /** Null if it was not signed with our key. */
    private Session parse(String value) {
        String[] halves = value.split("\\.", -1);
        if (halves.length != 2) {
            return null;
        }
        try {
            String said = new String(Base64.getUrlDecoder().decode(halves[0]), UTF_8);
            byte[] signature = Base64.getUrlDecoder().decode(halves[1]);
            if (!Secrets.same(Secrets.hex(mac(said)), Secrets.hex(signature))) {
                return null;
            }
            String[] fields = said.split("\n", FIELDS);
            return new Session(
                    fields[0], Instant.parse(fields[1]), Instant.ofEpochSecond(Long.parseLong(fields[FIELDS - 1])));
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private byte[] mac(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
