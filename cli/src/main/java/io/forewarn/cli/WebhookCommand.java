package io.forewarn.cli;

import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Webhooks: programs that are told what happens, as signed CloudEvents. */
@Command(
        name = "webhook",
        description = "Webhooks: programs that are told what happens, as signed CloudEvents.",
        footer = {
            "",
            "Examples:",
            "  forewarn webhook add ops --to https://hooks.example.org/forewarn",
            "  forewarn webhook add shop --tenant shop --what scheduled,started,failed --to https://shop.example.org/in",
            "  forewarn webhook test ops                       send something that says it is a test",
            "  forewarn webhook dead ops                       what could not be delivered"
        })
final class WebhookCommand {
    private static final String TENANT = "Whose it is; else the token's, or those told of all tenants.";

    private static Recipients all(Asking asking, String tenant) {
        return new Recipients(asking, "webhook", which -> Route.valueOf("WEBHOOK" + which), tenant);
    }

    @Command(
            description = "Lists them, with how sending goes and what went wrong last.",
            footer = {"", "Examples:", "  forewarn webhook list"})
    int list(
            @Mixin Asking asking,
            @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.") String tenant) {
        return all(asking, tenant).list();
    }

    @Command(
            description = "Shows one.",
            footer = {"", "Examples:", "  forewarn webhook show ops"})
    int show(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(asking, tenant).show(name);
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
            @Mixin Asking asking,
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
            @Mixin Recipients.Wanting wanting) {
        return all(asking, null).add(wanting.request(name, url, null, secret(secretFile)));
    }

    @Command(
            description = "Removes some, with their dead letters.",
            footer = {"", "Examples:", "  forewarn webhook remove ops"})
    int remove(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(asking, tenant).remove(names);
    }

    @Command(
            description = "Sends something that says it is a test, and tells what became of it.",
            footer = {"", "Examples:", "  forewarn webhook test ops"})
    int test(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(asking, tenant).test(name);
    }

    @Command(
            description = "Lists what could not be delivered however often it was tried.",
            footer = {"", "Examples:", "  forewarn webhook dead ops"})
    int dead(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(asking, tenant).dead(name);
    }

    @Command(
            description = "Tries dead letters again.",
            footer = {"", "Examples:", "  forewarn webhook resend ops --all"})
    int resend(
            @Mixin Asking asking,
            @Parameters(index = "0", paramLabel = "NAME") String name,
            @Parameters(
                            index = "1..*",
                            arity = "0..*",
                            paramLabel = "ID",
                            description = "Letters, as 'dead' lists them.")
                    List<String> letters,
            @Option(names = "--all", description = "All of them.") boolean all,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(asking, tenant).resend(name, letters, all);
    }

    private static String secret(Path file) {
        if (file == null) {
            return null;
        }
        try {
            return Files.readString(file).strip();
        } catch (IOException | UncheckedIOException unreadable) {
            throw new Refused("the secret file " + file + " cannot be read; name one that this user may read");
        }
    }
}
