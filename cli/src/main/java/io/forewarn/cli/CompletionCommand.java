package io.forewarn.cli;

import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.GroupBody;
import io.forewarn.wire.control.HostBody;
import io.forewarn.wire.control.MachineBody;
import io.forewarn.wire.control.RolloutBody;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.TenantBody;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the scripts with which shells complete commands, options and names. */
@Command(
        name = "completion",
        addMethodSubcommands = false,
        description =
                "Completion for shells: commands, options, and the names of machines, groups, hosts, events and rollouts.",
        footer = {
            "",
            "Examples:",
            "  source <(forewarn completion bash)      in ~/.bashrc; the Debian packages need no such line",
            "  source <(forewarn completion zsh)       in ~/.zshrc"
        })
final class CompletionCommand {
    private static final int MOST = 1_000;

    @Spec
    private CommandSpec command;

    @Command(
            description = "Print the script for bash.",
            footer = {"", "Examples:", "  forewarn completion bash > /etc/bash_completion.d/forewarn"})
    int bash() {
        ControlCharacterWriter.raw(command.commandLine().getOut()).print(CompletionScript.bash(Main.line()));
        return ExitCode.DONE;
    }

    @Command(
            description = "Print the script for zsh, which uses the one for bash.",
            footer = {"", "Examples:", "  forewarn completion zsh > /usr/local/share/zsh/site-functions/_forewarn"})
    int zsh() {
        ControlCharacterWriter.raw(command.commandLine().getOut()).print(CompletionScript.zsh(Main.line()));
        return ExitCode.DONE;
    }

    @Command(
            hidden = true,
            description = "Print names that the server knows, for the scripts.",
            footer = {"", "Examples:", "  forewarn completion names machines"})
    int names(
            @Mixin ServerCommand serverCommand,
            @Parameters(
                            paramLabel = "KIND",
                            description = "machines, groups, hosts, events, rollouts, tenants or contexts.")
                    String kind) {
        return switch (kind) {
            case "machines" ->
                print(serverCommand, MachineBody.class, Route.MACHINES, m -> DisplayNames.of(m.tenant(), m.name()));
            case "groups" ->
                print(serverCommand, GroupBody.class, Route.GROUPS, g -> DisplayNames.of(g.tenant(), g.name()));
            case "hosts" -> print(serverCommand, HostBody.class, Route.HOSTS, HostBody::name);
            case "events" -> print(serverCommand, EventBody.class, Route.EVENTS, EventBody::id);
            case "rollouts" -> print(serverCommand, RolloutBody.class, Route.ROLLOUTS, RolloutBody::name);
            case "tenants" -> print(serverCommand, TenantBody.class, Route.TENANTS, TenantBody::name);
            case "contexts" -> {
                ContextFile.of(System.getenv()).read().contexts().keySet().forEach(serverCommand::say);
                yield ExitCode.DONE;
            }
            default -> throw CommandRefusedException.wrong("there are no names of kind '" + kind + "'");
        };
    }

    private static <T extends Record> int print(
            ServerCommand serverCommand, Class<T> type, Route route, Function<T, String> name) {
        serverCommand
                .client()
                .each(
                        type,
                        route,
                        route.query().contains("limit") ? Map.of("limit", String.valueOf(MOST)) : Map.of(),
                        item -> serverCommand.say(name.apply(item)));
        return ExitCode.DONE;
    }
}
