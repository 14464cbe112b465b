package io.forewarn.server.identity;

import io.forewarn.core.Names;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.View;
import io.forewarn.core.fleet.MachineId;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A proxy on the machine's host says which machine it speaks for: {@code X-Instance-ID} is {@code tenant/name} or a name of
 * the default tenant, {@code X-Instance-ID-Signature} the hex HMAC-SHA256 of that text under the shared secret. Believed only from
 * the proxies' addresses; whatever a proxy does not sign well is nobody.
 */
final class SignedHeaderIdentity implements Identity {
    static final String NAME = "X-Instance-ID";
    static final String SIGNATURE = "X-Instance-ID-Signature";
    private static final String ALGORITHM = "HmacSHA256";

    private final Set<String> proxies;
    private final SecretKeySpec secret;

    SignedHeaderIdentity(Set<String> proxies, String secret) {
        this.proxies = Set.copyOf(proxies);
        this.secret = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    @Override
    public boolean decides(Request request) {
        return proxies.contains(request.source());
    }

    @Override
    public MachineView machine(Request request, View view) {
        String name = request.header(NAME);
        String signature = request.header(SIGNATURE);
        if (name == null || signature == null || !signed(name, signature)) {
            return null;
        }
        int slash = name.indexOf('/');
        return view.find(
                slash < 0
                        ? new MachineId(Names.DEFAULT_TENANT, name)
                        : new MachineId(name.substring(0, slash), name.substring(slash + 1)));
    }

    /** A proxy's connection may carry the requests of many machines. */
    @Override
    public boolean perConnection() {
        return false;
    }

    private boolean signed(String name, String signature) {
        byte[] given;
        try {
            given = HexFormat.of().parseHex(signature);
        } catch (IllegalArgumentException e) {
            return false;
        }
        return MessageDigest.isEqual(sign(name), given); // Takes the same time wherever they differ.
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
