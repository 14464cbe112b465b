package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.forward.ConnectErrorText;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import java.net.ConnectException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class WriterReachabilityTest {
    private final List<String> log = new ArrayList<>();
    private final WriterReachability writerReachability = new WriterReachability(Log.to(log::add, LogFormat.LOGFMT));

    @Test
    void aWriterThatIsUnreachableThreeTimesIsReportedOnce() {
        writerReachability.failed("b", "why");
        writerReachability.failed("b", "why");
        assertEquals(Optional.empty(), writerReachability.problem());
        writerReachability.failed("c", "why");
        writerReachability.failed("c", "why");
        assertEquals(Optional.empty(), writerReachability.problem(), "another one writes now");
        writerReachability.failed("c", "why not");
        writerReachability.failed("c", "why not");
        assertEquals(Optional.of("why not"), writerReachability.problem());
        assertEquals(1, log.size(), log::toString);
        assertTrue(
                log.get(0).contains("level=warning what=writer-unreachable writer=c reason=\"why not\""),
                log::toString);
        writerReachability.succeeded();
        writerReachability.succeeded();
        assertEquals(Optional.empty(), writerReachability.problem());
        assertEquals(2, log.size(), log::toString);
        assertTrue(log.get(1).contains("level=info what=writer-reached writer=c"), log::toString);
    }

    @Test
    void theCauseIsNamed() {
        says(
                handshake(new CertificateException("not to be had", new CertPathBuilderException("no path"))),
                "does not trust the certificate of b:1: listen.tls-cert must hold the chain up to the authority");
        says(handshake(new CertificateExpiredException("NotAfter: yesterday")), "the certificate of b:1 has expired");
        says(new SSLException("not an SSL/TLS record: 485454"), "b:1 does not use TLS, and this node does");
        says(new SSLHandshakeException("No name matching b found"), "the certificate of b:1 is for another name");
        says(new ConnectException("Connection refused: b/1"), "connection refused or timed out");
        says(new java.io.IOException(), "no reason was given");
        says(new IllegalStateException("outer", new java.io.IOException("reset")), "reset");
        assertTrue(ConnectErrorText.unanswered("b:1", false)
                .contains("if its control listener uses TLS, this node's must, too"));
    }

    private static Throwable handshake(CertificateException cause) {
        return new SSLHandshakeException("the handshake failed").initCause(cause);
    }

    private static void says(Throwable failure, String words) {
        String said = ConnectErrorText.why(failure, "b:1");
        assertTrue(said.contains(words), said);
    }
}
