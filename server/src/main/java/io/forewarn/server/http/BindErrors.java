package io.forewarn.server.http;

import io.forewarn.wire.control.HostPort;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** Explains why a listen address cannot be used, in plain words. */
public final class BindErrors {
    private BindErrors() {}

    public static String why(HostPort wanted, Throwable failure) {
        String message = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
                return "no address found for the name " + wanted.host();
            }
            message += cause.getMessage() + "\n";
        }
        if (message.contains("error(-98)") || message.contains("in use")) {
            return "another program listens there";
        }
        if (message.contains("error(-99)") || message.contains("assign requested address")) {
            return wanted.host() + " is not an address of this machine";
        }
        if (message.contains("error(-13)") || message.contains("ermission denied")) {
            return wanted.port() < 1024
                    ? "this user may not listen on a port below 1024"
                    : "this user may not listen there";
        }
        if (message.contains("error(-97)") || message.contains("family not supported")) {
            return "this machine has no addresses of that kind";
        }
        return failure.getMessage() == null ? "the system refuses it" : failure.getMessage();
    }
}
