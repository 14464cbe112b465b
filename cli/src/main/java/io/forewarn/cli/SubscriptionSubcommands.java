package io.forewarn.cli;

import io.forewarn.wire.control.Route;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Declares the commands that webhooks and mail subscriptions share. */
@Command(addMethodSubcommands = false)
abstract class SubscriptionSubcommands {
    private static final String TENANT =
            "Tenant of the subscription; default: the token's own, or subscriptions to all tenants.";

    /** The word on the command line. */
    abstract String kind();

    /** The prefix of the names of its routes. */
    abstract String routes();

    final SubscriptionCommands all(ServerCommand serverCommand, String tenant) {
        return new SubscriptionCommands(serverCommand, kind(), which -> Route.valueOf(routes() + which), tenant);
    }

    @Command(
            description = "List subscriptions, with delivery status and last error.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} list"})
    int list(
            @Mixin ServerCommand serverCommand,
            @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.") String tenant) {
        return all(serverCommand, tenant).list();
    }

    @Command(
            description = "Show a subscription.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} show ops"})
    int show(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(serverCommand, tenant).show(name);
    }

    @Command(
            description = "Remove subscriptions and their dead letters.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} remove ops"})
    int remove(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(serverCommand, tenant).remove(names);
    }

    @Command(
            description = "Send a test notification and print the result.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} test ops"})
    int test(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(serverCommand, tenant).test(name);
    }

    @Command(
            name = "dead-letters",
            description = "List dead letters: notifications that could not be delivered after all attempts.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} dead-letters ops"})
    int deadLetters(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(serverCommand, tenant).deadLetters(name);
    }

    @Command(
            description = "Resend dead letters.",
            footer = {"", "Examples:", "  ${PARENT-COMMAND-FULL-NAME} resend ops --all"})
    int resend(
            @Mixin ServerCommand serverCommand,
            @Parameters(index = "0", paramLabel = "NAME") String name,
            @Parameters(
                            index = "1..*",
                            arity = "0..*",
                            paramLabel = "ID",
                            description = "Ids of dead letters, as 'dead-letters' lists them.")
                    List<String> ids,
            @Option(names = "--all", description = "Resend all of them.") boolean all,
            @Option(names = "--tenant", paramLabel = "NAME", description = TENANT) String tenant) {
        return all(serverCommand, tenant).resend(name, ids, all);
    }
}
