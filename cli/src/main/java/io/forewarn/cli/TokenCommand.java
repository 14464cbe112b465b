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
            "  forewarn token add shop-work --role calendar --tenant shop   opens that tenant's calendar and nothing else",
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
                List.of("name", "role", "access to", "made at", "expires at"),
                "No tokens except the server's own.",
                t -> List.of(
                        t.name(),
                        t.role(),
                        scope(t),
                        DisplayNames.time(t.createdAt()),
                        t.expiresAt() == null ? "never" : DisplayNames.time(t.expiresAt())));
    }

    private static String scope(TokenBody token) {
        boolean all = token.tenant().equals(TokenBody.EVERY_TENANT);
        String whose = token.group() != null ? token.tenant() + "/" + token.group() : all ? "all" : token.tenant();
        return token.rollout() == null ? whose : whose + ", rollout " + token.rollout();
    }

    @Command(
            description = "Create a token. Its secret is printed once and stored nowhere.",
            footer = {
                "",
                "Examples:",
                "  forewarn token add ci --role operator --expires 90d",
                "  forewarn token add shop-team --role owner --tenant shop",
                "  forewarn token add shop-eyes --role viewer --tenant shop",
                "  forewarn token add web-work --role calendar --group shop/web",
                "  forewarn token add night --role calendar --rollout os-nov",
                "",
                "An operator may do everything. An owner sees and changes one tenant, and creates owner and",
                "viewer tokens for it. A viewer sees one tenant, or all, and changes nothing. A calendar token",
                "opens the iCalendar feed of one tenant, group or rollout, or of all, and nothing else."
            })
    int add(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            description = "operator, owner, viewer or calendar (required).")
                    String role,
            @Option(
                            names = "--tenant",
                            paramLabel = "NAME",
                            description = "The only tenant it gives access to; default: all.")
                    String tenant,
            @Option(names = "--group", paramLabel = "NAME", description = "The only group in a calendar; default: all.")
                    String group,
            @Option(
                            names = "--rollout",
                            paramLabel = "NAME",
                            description = "The only rollout in a calendar; default: all.")
                    String rollout,
            @Option(
                            names = "--expires",
                            paramLabel = "DURATION",
                            description = "Lifetime, such as 90d; default: unlimited.")
                    String expires) {
        if (role == null) {
            throw new ParameterException(
                    serverCommand.commandLine(),
                    "--role is missing: 'operator' may do everything, 'owner' sees and changes one tenant, 'viewer' only sees,"
                            + " 'calendar' opens a calendar");
        }
        TenantCommand.warnOfNew(serverCommand, tenant);
        TokenBody token = serverCommand
                .client()
                .send(TokenBody.class, Route.TOKEN_ADD, new TokenRequest(name, role, tenant, expires, group, rollout));
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(token));
        } else {
            serverCommand.say(token.secret());
            serverCommand.warn(
                    role.equals("calendar")
                            ? "It is stored nowhere else. Let a calendar program subscribe to "
                                    + serverCommand.client().url() + Route.CALENDAR.uri() + "?token=" + token.secret()
                            : "It is stored nowhere else: use it as FOREWARN_TOKEN, or as 'Authorization: Bearer …'.");
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
