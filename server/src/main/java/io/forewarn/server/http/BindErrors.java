package io.forewarn.server.http;

import io.forewarn.wire.control.HostPort;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** Explains why a listen address cannot be used, in plain words. */
public final class BindErrors {
    private BindErrors() {}

    public static String why(HostPort wanted, Throwable failure) {
        String said = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
                return "no address found for the name " + wanted.host();
            }
            said += cause.getMessage() + "\n";
        }
        if (said.contains("error(-98)") || said.contains("in use")) {
            return "another program listens there";
        }
        if (said.contains("error(-99)") || said.contains("assign requested address")) {
            return wanted.host() + " is not an address of this machine";
        }
        if (said.contains("error(-13)") || said.contains("ermission denied")) {
            return wanted.port() < 1024
                    ? "this user may not listen on a port below 1024"
                    : "this user may not listen there";
        }
        if (said.contains("error(-97)") || said.contains("family not supported")) {
            return "this machine has no addresses of that kind";
        }
        return failure.getMessage() == null ? "the system refuses it" : failure.getMessage();
    }
}
