package io.forewarn.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Manages notifications by mail. */
@Command(
        name = "mail",
        addMethodSubcommands = false,
        description = "Notifications by mail.",
        footer = {
            "",
            "Examples:",
            "  forewarn mail add ops --to ops@example.org",
            "  forewarn mail add shop --tenant shop --kind scheduled,failed --to a@example.org --to b@example.org",
            "  forewarn mail add night --to ops@example.org --digest daily --zone Europe/Berlin",
            "  forewarn mail test ops                       send a test notification",
            "  forewarn mail dead-letters ops               what could not be delivered"
        })
final class MailCommand extends SubscriptionSubcommands {
    @Override
    String kind() {
        return "mail";
    }

    @Override
    String routes() {
        return "MAIL_SUBSCRIPTION";
    }

    @Command(
            description = "Add a mail subscription. It receives notifications from now on.",
            footer = {
                "",
                "Examples:",
                "  forewarn mail add ops --to ops@example.org",
                "  forewarn mail add shop --tenant shop --kind scheduled,failed --to a@example.org --to b@example.org",
                "  forewarn mail add night --to ops@example.org --digest daily --zone Europe/Berlin"
            })
    int add(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--to",
                            required = true,
                            split = ",",
                            paramLabel = "ADDRESS",
                            description = "Recipient; may be given several times.")
                    List<String> to,
            @Option(
                            names = "--digest",
                            paramLabel = "now|hourly|daily",
                            description =
                                    "Whether each notification is sent at once, or all of an hour or a day in one mail; default: now.")
                    String digest,
            @Mixin SubscriptionCommands.Wanting wanting) {
        return all(serverCommand, null).add(wanting.mail(name, to, digest));
    }
}
