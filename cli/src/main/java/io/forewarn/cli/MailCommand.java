package io.forewarn.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Mail: people who are told what happens. */
@Command(
        name = "mail",
        addMethodSubcommands = false,
        description = "Mail: people who are told what happens.",
        footer = {
            "",
            "Examples:",
            "  forewarn mail add ops --to ops@example.org",
            "  forewarn mail add shop --tenant shop --what scheduled,failed --to a@example.org --to b@example.org",
            "  forewarn mail test ops                       send something that says it is a test",
            "  forewarn mail dead ops                       what could not be delivered"
        })
final class MailCommand extends SubscriptionSubcommands {
    @Override
    String kind() {
        return "mail";
    }

    @Command(
            description = "Adds one. It is told of what happens from now on.",
            footer = {
                "",
                "Examples:",
                "  forewarn mail add ops --to ops@example.org",
                "  forewarn mail add shop --tenant shop --what scheduled,failed --to a@example.org --to b@example.org"
            })
    int add(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--to",
                            required = true,
                            split = ",",
                            paramLabel = "ADDRESS",
                            description = "Where to send it; may be given several times.")
                    List<String> to,
            @Mixin SubscriptionCommands.Wanting wanting) {
        return all(serverCommand, null).add(wanting.request(name, null, to, null));
    }
}
