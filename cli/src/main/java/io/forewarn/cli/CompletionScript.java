package io.forewarn.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes the completion scripts from the commands themselves. Commands and options are in the script; names of machines
 * and the like are asked of the server, with a time limit, when they are needed.
 */
final class CompletionScript {
    /** How long a user waits for names at most. */
    private static final int SECONDS = 2;

    private static final String FILES = "files";
    private static final Pattern CHOICE = Pattern.compile("[a-z][a-z0-9-]*(\\|[a-z][a-z0-9-]*)+");

    /** The values in a description, as in "Only freeze, reboot or redeploy." */
    private static final Pattern LISTED = Pattern.compile("([a-z-]+, )+([a-z-]+ or )?[a-z-]+");

    private static final Set<String> LISTED_IN_DESCRIPTION = Set.of("TYPE", "STATE", "ROLE");

    /** What the positional parameters of a command name, by the first word of the command. */
    private static final Map<String, String> NAMED_BY_COMMAND = Map.of(
            "vm", "machines",
            "host", "hosts",
            "group", "groups",
            "event", "events",
            "rollout", "rollouts",
            "tenant", "tenants",
            "policy", "events",
            "context", "contexts");

    private static final Map<String, String> NAMED_BY_OPTION = Map.of(
            "--vm", "machines",
            "--machine", "machines",
            "--machines", "machines",
            "--group", "groups",
            "--groups", "groups",
            "--rollout", "rollouts",
            "--event", "events",
            "--host", "hosts",
            "--tenant", "tenants");

    private static final String BODY = """
            _forewarn() {
              local cur=${COMP_WORDS[COMP_CWORD]} path='' kind='' word
              COMPREPLY=()
              for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                case " $(_forewarn_commands "$path") " in *" $word "*) path=${path:+$path }$word ;; esac
              done
              case $cur in
                -*)
                  COMPREPLY=($(compgen -W "$(_forewarn_options "$path")" -- "$cur"))
                  return ;;
              esac
              case ${COMP_WORDS[COMP_CWORD-1]} in
                -*) kind=$(_forewarn_values "$path ${COMP_WORDS[COMP_CWORD-1]}") ;;
              esac
              if [ -z "$kind" ]; then
                word=$(_forewarn_commands "$path")
                if [ -n "$word" ]; then
                  COMPREPLY=($(compgen -W "$word" -- "$cur"))
                  return
                fi
                kind=$(_forewarn_values "$path")
              fi
              case $kind in
                '') ;;
                files) COMPREPLY=($(compgen -f -- "$cur")) ;;
                '='*) COMPREPLY=($(compgen -W "${kind#=}" -- "$cur")) ;;
                *) COMPREPLY=($(compgen -W "$(timeout SECONDS "${COMP_WORDS[0]}" completion names "$kind" 2>/dev/null)" -- "$cur")) ;;
              esac
            }
            complete -o filenames -F _forewarn forewarn
            """.replace("SECONDS", String.valueOf(SECONDS));

    private final List<String> commands = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    private CompletionScript() {}

    static String bash(CommandLine program) {
        CompletionScript script = new CompletionScript();
        script.add("", program.getCommandSpec());
        return "# Completion for forewarn, made by 'forewarn completion bash'.\n"
                + table("_forewarn_commands", script.commands)
                + table("_forewarn_options", script.options)
                + table("_forewarn_values", script.values)
                + BODY;
    }

    /** Zsh runs the same functions. */
    static String zsh(CommandLine program) {
        return "#compdef forewarn\nautoload -U +X bashcompinit && bashcompinit\n" + bash(program);
    }

    private static String table(String name, List<String> rows) {
        return name + "() {\n  case $1 in\n" + String.join("", rows) + "  esac\n}\n";
    }

    private void add(String path, CommandSpec command) {
        List<CommandLine> below = command.subcommands().values().stream()
                .filter(line -> !line.getCommandSpec().usageMessage().hidden())
                .distinct()
                .toList();
        if (!below.isEmpty()) {
            row(commands, path, below.stream().map(CommandLine::getCommandName).collect(Collectors.joining(" ")));
        }
        List<OptionSpec> shown =
                command.options().stream().filter(option -> !option.hidden()).toList();
        row(options, path, shown.stream().map(OptionSpec::longestName).collect(Collectors.joining(" ")));
        for (OptionSpec option : shown) {
            value(path + " " + option.longestName(), option, NAMED_BY_OPTION.get(option.longestName()));
        }
        String first = path.replaceFirst(" .*", "");
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            boolean names = parameter.paramLabel().matches("NAME|ID|CONTEXT");
            value(path, parameter, names ? NAMED_BY_COMMAND.get(first) : null);
        }
        for (CommandLine line : below) {
            add((path + " " + line.getCommandName()).strip(), line.getCommandSpec());
        }
    }

    private void value(String path, ArgSpec argument, String named) {
        String label = argument.paramLabel();
        if (named != null) {
            row(values, path, named);
        } else if (label.equals("FILE") || label.equals("FOLDER")) {
            row(values, path, FILES);
        } else if (CHOICE.matcher(label).matches()) {
            row(values, path, "=" + label.replace('|', ' '));
        } else if (LISTED_IN_DESCRIPTION.contains(label)) {
            Matcher listed = LISTED.matcher(String.join(" ", argument.description()));
            if (listed.find()) {
                row(values, path, "=" + listed.group().replaceAll(", | or ", " "));
            }
        }
    }

    private static void row(List<String> rows, String path, String words) {
        rows.add("    '" + path + "') echo '" + words + "' ;;\n");
    }
}
