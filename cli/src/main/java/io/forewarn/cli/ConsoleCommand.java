package io.forewarn.cli;

import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.SignInLinkBody;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints a link that opens the web console signed in. */
@Command(
        name = "console",
        description = {
            "Print a link that opens the web console, signed in as the user of this command. It works once and for five minutes."
        },
        footer = {
            "",
            "Examples:",
            "  forewarn console",
            "  xdg-open \"$(forewarn console)\"                     open it at once",
            "  FOREWARN_TOKEN=fw_… forewarn console --url https://forewarn.example:8170"
        })
final class ConsoleCommand implements Callable<Integer> {
    @Mixin
    private ServerCommand serverCommand;

    @Override
    public Integer call() {
        ControlClient client = serverCommand.client();
        byte[] answer = client.bytes(Route.SESSION_LINK, List.of(), Map.of());
        return serverCommand.one(
                SignInLinkBody.class, answer, link -> serverCommand.say(link(client.url(), link.code())));
    }

    static String link(String server, String code) {
        return server + "/console/#sign-in=" + code;
    }
}
