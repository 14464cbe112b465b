package io.forewarn.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Manages notifications by webhook. */
@Command(
        name = "webhook",
        addMethodSubcommands = false,
        description = "Notifications by webhook, as signed CloudEvents or Slack messages.",
        footer = {
            "",
            "Examples:",
            "  forewarn webhook add ops --to https://hooks.example.org/forewarn",
            "  forewarn webhook add shop --tenant shop --kind scheduled,started,failed --to https://shop.example.org/in",
            "  forewarn webhook add chat --to https://hooks.slack.com/services/T0/B0/x --format slack --zone Europe/Berlin",
            "  forewarn webhook test ops                       send a test notification",
            "  forewarn webhook dead-letters ops               what could not be delivered"
        })
final class WebhookCommand extends SubscriptionSubcommands {
    @Override
    String kind() {
        return "webhook";
    }

    @Override
    String routes() {
        return "WEBHOOK";
    }

    @Command(
            description = "Add a webhook. It receives notifications from now on.",
            footer = {
                "",
                "Examples:",
                "  forewarn webhook add ops --to https://hooks.example.org/forewarn",
                "  forewarn webhook add shop --tenant shop --kind scheduled,started,failed --to https://shop.example.org/in",
                "  forewarn webhook add chat --to https://hooks.slack.com/services/T0/B0/x --format slack"
            })
    int add(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--to",
                            required = true,
                            paramLabel = "URL",
                            description = "URL to send to. An operator must allow private and loopback addresses.")
                    String url,
            @Option(
                            names = "--secret-file",
                            paramLabel = "FILE",
                            description = "File with the signing secret; default: one is generated and printed once.")
                    Path secretFile,
            @Option(
                            names = "--format",
                            paramLabel = "cloudevents|slack",
                            description = "Format of the body; default: cloudevents.")
                    String format,
            @Mixin SubscriptionCommands.Wanting wanting) {
        return all(serverCommand, null).add(wanting.webhook(name, url, secret(secretFile), format));
    }

    private static String secret(Path file) {
        if (file == null) {
            return null;
        }
        try {
            return Files.readString(file).strip();
        } catch (IOException | UncheckedIOException unreadable) {
            throw new CommandRefusedException(
                    "the secret file " + file + " cannot be read; check its path and permissions");
        }
    }
}
