package io.forewarn.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Webhooks: programs that are told what happens, as signed CloudEvents. */
@Command(
        name = "webhook",
        addMethodSubcommands = false,
        description = "Webhooks: programs that are told what happens, as signed CloudEvents.",
        footer = {
            "",
            "Examples:",
            "  forewarn webhook add ops --to https://hooks.example.org/forewarn",
            "  forewarn webhook add shop --tenant shop --what scheduled,started,failed --to https://shop.example.org/in",
            "  forewarn webhook test ops                       send something that says it is a test",
            "  forewarn webhook dead ops                       what could not be delivered"
        })
final class WebhookCommand extends SubscriptionSubcommands {
    @Override
    String kind() {
        return "webhook";
    }

    @Command(
            description = "Adds one. It is told of what happens from now on.",
            footer = {
                "",
                "Examples:",
                "  forewarn webhook add ops --to https://hooks.example.org/forewarn",
                "  forewarn webhook add shop --tenant shop --what scheduled,started,failed --to https://shop.example.org/in"
            })
    int add(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--to",
                            required = true,
                            paramLabel = "URL",
                            description =
                                    "Where to send it. Private and loopback addresses must be listed by the operator.")
                    String url,
            @Option(
                            names = "--secret-file",
                            paramLabel = "FILE",
                            description =
                                    "The file with the secret to sign with; else one is made and printed this once.")
                    Path secretFile,
            @Mixin SubscriptionCommands.Wanting wanting) {
        return all(serverCommand, null).add(wanting.request(name, url, null, secret(secretFile)));
    }

    private static String secret(Path file) {
        if (file == null) {
            return null;
        }
        try {
            return Files.readString(file).strip();
        } catch (IOException | UncheckedIOException unreadable) {
            throw new CommandRefusedException(
                    "the secret file " + file + " cannot be read; name one that this user may read");
        }
    }
}
