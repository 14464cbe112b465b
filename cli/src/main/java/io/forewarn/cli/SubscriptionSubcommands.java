package io.forewarn.cli;

import io.forewarn.wire.control.Route;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What can be done with those who are told what happens, whichever way they are told. */
@Command(addMethodSubcommands = false)
abstract class SubscriptionSubcommands {
    private static final String TENANT = "Whose it is; else the token's, or those told of all tenants.";

    /** The word on the command line, which is also how its routes begin. */
    abstract String kind();

    final SubscriptionCommands all(ServerCommand serverCommand, String tenant) {
        String routes = kind().toUpperCase(Locale.ROOT);
        return new SubscriptionCommands(serverCommand, kind(), which -> Route.valueOf(routes + which), tenant);
    }

    @Command(
            description = "Lists them, with how sending goes and what went wrong last.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} list"})
    int list(
            @Mixin ServerCommand serverCommand,
            @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.") String tenant) {
        return all(serverCommand, tenant).list();
    }

    @Command(
            description = "Shows one.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} show ops"})
    int show(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(serverCommand, tenant).show(name);
    }

    @Command(
            description = "Removes some, with their dead letters.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} remove ops"})
    int remove(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(serverCommand, tenant).remove(names);
    }

    @Command(
            description = "Sends something that says it is a test, and tells what became of it.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} test ops"})
    int test(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(serverCommand, tenant).test(name);
    }

    @Command(
            description = "Lists what could not be delivered however often it was tried.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} dead ops"})
    int dead(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(serverCommand, tenant).dead(name);
    }

    @Command(
            description = "Tries dead letters again.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} resend ops --all"})
    int resend(
            @Mixin ServerCommand serverCommand,
            @Parameters(index = "0", paramLabel = "NAME") String name,
            @Parameters(
                            index = "1..*",
                            arity = "0..*",
                            paramLabel = "ID",
                            description = "Letters, as 'dead' lists them.")
                    List<String> letters,
            @Option(names = "--all", description = "All of them.") boolean all,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(serverCommand, tenant).resend(name, letters, all);
    }
}
