package io.forewarn.cli;

import io.forewarn.server.settings.ListenSettings;
import io.forewarn.wire.control.HostPort;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;

/** Prints the commands of a first try for those who start the service by hand or in a container. */
final class FirstSteps {
    /** At which port of the image the first machine of its demo fleet asks. */
    private static final String MACHINE_IN_IMAGE = "127.0.0.1:8169";

    private FirstSteps() {}

    /** @param environment FOREWARN_IMAGE is set in the container image, and HOSTNAME is the container there */
    static void print(
            HostPort metadata,
            HostPort control,
            ListenSettings listen,
            Map<String, String> environment,
            PrintWriter out) {
        if (environment.containsKey("FOREWARN_IMAGE")) {
            inImage(environment.getOrDefault("HOSTNAME", "CONTAINER"), out);
            return;
        }
        String url = (listen.tls() ? "https://" : "http://") + control;
        String where = url.equals(ServerCommand.DEFAULT_URL) ? "" : "FOREWARN_URL=" + url + " ";
        if (listen.tls()) {
            where = "FOREWARN_CA=" + Path.of(listen.tlsCert()).toAbsolutePath() + " " + where;
        }
        out.println("Forewarn is running. In another terminal, as the machine FrontEnd_IN_0 and as its operator:");
        out.println();
        steps(metadata.toString(), where + System.getProperty("forewarn.command", "./forewarn"), out);
        out.println();
    }

    /** Through a published port, commands from outside need a token; those run in the container do not. */
    private static void inImage(String container, PrintWriter out) {
        String inside = "docker exec " + container + " forewarn";
        out.println("Forewarn is running. Port 8169 is the machine FrontEnd_IN_0, 8171 FrontEnd_IN_1, and so on;"
                + " port 8170 is the control API. If they are published, in another terminal:");
        out.println();
        steps(MACHINE_IN_IMAGE, inside, out);
        out.println();
        out.println("From outside the container, the control API needs a token: " + inside
                + " token add me --role operator");
        out.println("It is plain HTTP: publish port 8170 beyond your own machine only with listen.tls-cert and"
                + " listen.tls-key.");
        out.println();
    }

    private static void steps(String metadata, String command, PrintWriter out) {
        String events = "'http://" + metadata + "/metadata/scheduledevents?api-version=2020-07-01'";
        String ask = "curl -sH Metadata:true " + events;
        out.println("  " + ask);
        out.println("  " + command + " vm restart FrontEnd_IN_0");
        out.println("  ID=$(" + ask + " | grep -o '[0-9A-F-]\\{36\\}' | head -1); curl -sH Metadata:true -d"
                + " '{\"StartRequests\":[{\"EventId\":\"'$ID'\"}]}' " + events);
    }
}
