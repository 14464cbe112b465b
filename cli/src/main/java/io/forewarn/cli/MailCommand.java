package io.forewarn.cli;

import io.forewarn.wire.control.Route;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Mail: people who are told what happens. */
@Command(
        name = "mail",
        description = "Mail: people who are told what happens.",
        footer = {
            "",
            "Examples:",
            "  forewarn mail add ops --to ops@example.org",
            "  forewarn mail add shop --tenant shop --what scheduled,failed --to a@example.org --to b@example.org",
            "  forewarn mail test ops                       send something that says it is a test",
            "  forewarn mail dead ops                       what could not be delivered"
        })
final class MailCommand {
    private static final String TENANT = "Whose it is; else the token's, or those told of all tenants.";

    private static Recipients all(Asking asking, String tenant) {
        return new Recipients(asking, "mail", which -> Route.valueOf("MAIL" + which), tenant);
    }

    @Command(
            description = "Lists them, with how sending goes and what went wrong last.",
            footer = {"", "Examples:", "  forewarn mail list"})
    int list(
            @Mixin Asking asking,
            @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.") String tenant) {
        return all(asking, tenant).list();
    }

    @Command(
            description = "Shows one.",
            footer = {"", "Examples:", "  forewarn mail show ops"})
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
                "  forewarn mail add ops --to ops@example.org",
                "  forewarn mail add shop --tenant shop --what scheduled,failed --to a@example.org --to b@example.org"
            })
    int add(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--to",
                            required = true,
                            split = ",",
                            paramLabel = "ADDRESS",
                            description = "Where to send it; may be given several times.")
                    List<String> to,
            @Mixin Recipients.Wanting wanting) {
        return all(asking, null).add(wanting.request(name, null, to, null));
    }

    @Command(
            description = "Removes some, with their dead letters.",
            footer = {"", "Examples:", "  forewarn mail remove ops"})
    int remove(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(asking, tenant).remove(names);
    }

    @Command(
            description = "Sends something that says it is a test, and tells what became of it.",
            footer = {"", "Examples:", "  forewarn mail test ops"})
    int test(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(asking, tenant).test(name);
    }

    @Command(
            description = "Lists what could not be delivered however often it was tried.",
            footer = {"", "Examples:", "  forewarn mail dead ops"})
    int dead(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(asking, tenant).dead(name);
    }

    @Command(
            description = "Tries dead letters again.",
            footer = {"", "Examples:", "  forewarn mail resend ops --all"})
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
}
