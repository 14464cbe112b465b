package io.forewarn.cli;

import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.TokenBody;
import io.forewarn.wire.control.TokenRequest;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Lists, adds and removes API tokens. */
@Command(
        name = "token",
        addMethodSubcommands = false,
        description = "API tokens for remote access.",
        footer = {
            "",
            "Examples:",
            "  forewarn token add ci --role operator --expires 90d      may do everything",
            "  forewarn token add shop-team --role owner --tenant shop   sees and changes only that tenant",
            "  forewarn token add eyes --role viewer                    sees everything, changes nothing",
            "  forewarn token list",
            "  forewarn token remove ci"
        })
final class TokenCommand {
    @Command(
            description = "List tokens, without their secrets.",
            footer = {"", "Examples:", "  forewarn token list"})
    int list(@Mixin ServerCommand serverCommand) {
        return serverCommand.list(
                TokenBody.class,
                Route.TOKENS,
                Map.of(),
                List.of("name", "role", "tenant", "made at", "expires at"),
                "No tokens except the server's own.",
                t -> List.of(
                        t.name(),
                        t.role(),
                        t.tenant().equals(TokenBody.EVERY_TENANT) ? "all" : t.tenant(),
                        DisplayNames.time(t.createdAt()),
                        t.expiresAt() == null ? "never" : DisplayNames.time(t.expiresAt())));
    }

    @Command(
            description = "Create a token. Its secret is printed once and stored nowhere.",
            footer = {
                "",
                "Examples:",
                "  forewarn token add ci --role operator --expires 90d",
                "  forewarn token add shop-team --role owner --tenant shop",
                "  forewarn token add shop-eyes --role viewer --tenant shop",
                "",
                "An operator may do everything. An owner sees and changes one tenant, and creates owner and",
                "viewer tokens for it. A viewer sees one tenant, or all, and changes nothing."
            })
    int add(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--role", paramLabel = "ROLE", description = "operator, owner or viewer (required).")
                    String role,
            @Option(
                            names = "--tenant",
                            paramLabel = "NAME",
                            description = "The only tenant it gives access to; default: all.")
                    String tenant,
            @Option(
                            names = "--expires",
                            paramLabel = "DURATION",
                            description = "Lifetime, such as 90d; default: unlimited.")
                    String expires) {
        if (role == null) {
            throw new ParameterException(
                    serverCommand.commandLine(),
                    "--role is missing: 'operator' may do everything, 'owner' sees and changes one tenant, 'viewer' only sees");
        }
        TenantCommand.warnOfNew(serverCommand, tenant);
        TokenBody token = serverCommand
                .client()
                .send(TokenBody.class, Route.TOKEN_ADD, new TokenRequest(name, role, tenant, expires));
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(token));
        } else {
            serverCommand.say(token.secret());
            serverCommand.warn("It is stored nowhere else: use it as FOREWARN_TOKEN, or as 'Authorization: Bearer …'.");
        }
        return ExitCode.DONE;
    }

    @Command(
            description = "Revoke tokens, effective at once.",
            footer = {"", "Examples:", "  forewarn token remove ci"})
    int remove(
            @Mixin ServerCommand serverCommand, @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names) {
        for (String name : names) {
            CommandResultBody outcome = serverCommand.client().ask(CommandResultBody.class, Route.TOKEN_REMOVE, name);
            if (serverCommand.json()) {
                serverCommand.raw(Json.write(outcome));
            } else {
                serverCommand.say(name + " removed");
            }
        }
        return ExitCode.DONE;
    }
}
