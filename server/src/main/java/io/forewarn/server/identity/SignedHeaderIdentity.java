package io.forewarn.server.identity;

import io.forewarn.core.NameRules;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.fleet.MachineId;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Identifies a machine by headers that a proxy on its host signed: {@code X-Instance-ID} is {@code tenant/name} or a name of
 * the default tenant, {@code X-Instance-ID-Time} the time in seconds since 1970, {@code X-Instance-ID-Signature} the
 * hex HMAC-SHA256 of {@code TIME.NAME} under the shared secret. A proxy in {@code untimed-proxies} may leave out the
 * time and sign the name alone. Trusted only from the proxies' addresses; a wrong or old signature identifies no
 * machine.
 */
final class SignedHeaderIdentity implements Identity {
    static final String NAME = "X-Instance-ID";
    static final String SIGNATURE = "X-Instance-ID-Signature";
    static final String TIME = "X-Instance-ID-Time";
    private static final String ALGORITHM = "HmacSHA256";

    private final Set<String> proxies;
    private final Set<String> untimed;
    private final long ageMillis;
    private final LongSupplier wallMillis;
    private final SecretKeySpec secret;

    SignedHeaderIdentity(IdentitySettings settings, LongSupplier wallMillis) {
        this.proxies = settings.proxies();
        this.untimed = settings.untimedProxies();
        this.ageMillis = settings.maxSignatureAge().toMillis();
        this.wallMillis = wallMillis;
        this.secret = new SecretKeySpec(settings.secret().getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    static boolean contradicts(IdentityRequest identityRequest) {
        return identityRequest.count(NAME) > 1
                || identityRequest.count(SIGNATURE) > 1
                || identityRequest.count(TIME) > 1;
    }

    @Override
    public boolean decides(IdentityRequest identityRequest) {
        return proxies.contains(identityRequest.source());
    }

    @Override
    public MachineView machine(IdentityRequest identityRequest, PublishedState published) {
        String name = identityRequest.header(NAME);
        String signature = identityRequest.header(SIGNATURE);
        String time = identityRequest.header(TIME);
        if (name == null || signature == null) {
            return null;
        }
        boolean believed = time == null
                ? untimed.contains(identityRequest.source()) && signed(name, signature)
                : recent(time) && signed(time + "." + name, signature);
        if (!believed) {
            return null;
        }
        int slash = name.indexOf('/');
        return published.find(
                slash < 0
                        ? new MachineId(NameRules.DEFAULT_TENANT, name)
                        : new MachineId(name.substring(0, slash), name.substring(slash + 1)));
    }

    /** A proxy's connection may carry requests of many machines. */
    @Override
    public boolean perConnection() {
        return false;
    }

    private boolean recent(String seconds) {
        return seconds.matches("\\d{1,11}")
                && Math.abs(wallMillis.getAsLong() - Long.parseLong(seconds) * 1000) <= ageMillis;
    }

    private boolean signed(String name, String signature) {
        byte[] given;
        try {
            given = HexFormat.of().parseHex(signature);
        } catch (IllegalArgumentException e) {
            return false;
        }
        return MessageDigest.isEqual(sign(name), given); // Constant time.
    }

    private byte[] sign(String name) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            return mac.doFinal(name.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // Every JDK has HmacSHA256.
        }
    }
}
