package io.forewarn.wire.control;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.forewarn.core.NameRules;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Writes the fleet as a file that can be applied again without changes. First all groups, then all machines. */
public final class FleetWriter {
    /** The formats of a fleet file. */
    public enum Style {
        YAML,
        JSONL
    }

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9._-]*|\\d+(\\.\\d+){3}");
    // Words that YAML does not parse as strings.
    private static final Set<String> TAKEN = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

    private final Appendable out;
    private final Style style;
    private boolean inGroups;
    private boolean inMachines;

    public FleetWriter(Appendable out, Style style) {
        this.out = out;
        this.style = style;
    }

    /** Whether the group needs no entry because its only machine implies it. */
    public static boolean implied(Group group, List<Machine> machines) {
        return group.kind() == GroupKind.SINGLE
                && machines.size() == 1
                && machines.get(0).name().equals(group.id().name());
    }

    public void group(Group group) throws IOException {
        if (!inGroups) {
            heading("groups:\n");
            inGroups = true;
        }
        List<String> pairs = new ArrayList<>();
        pairs.add(pair("name", text(group.id().name())));
        tenant(pairs, group.id().tenant());
        pairs.add(pair("kind", text(EnumNames.of(group.kind()))));
        pairs.add(pair("update-domains", String.valueOf(group.updateDomains())));
        pairs.add(pair("fault-domains", String.valueOf(group.faultDomains())));
        line("group", pairs);
    }

    public void machine(Machine machine, boolean alone) throws IOException {
        if (!inMachines) {
            heading("machines:\n");
            inMachines = true;
        }
        List<String> pairs = new ArrayList<>();
        pairs.add(pair("name", text(machine.name())));
        tenant(pairs, machine.id().tenant());
        if (!alone) {
            pairs.add(pair("group", text(machine.group().name())));
            pairs.add(pair("update-domain", String.valueOf(machine.updateDomain())));
            pairs.add(pair("fault-domain", String.valueOf(machine.faultDomain())));
        }
        if (!machine.host().isEmpty()) {
            pairs.add(pair("host", text(machine.host())));
        }
        if (!machine.addresses().isEmpty()) {
            StringJoiner list = new StringJoiner(separator(), "[", "]");
            machine.addresses().forEach(a -> list.add(text(a)));
            pairs.add(pair("addresses", list.toString()));
        }
        if (!machine.listen().isEmpty()) {
            pairs.add(pair("listen", text(machine.listen())));
        }
        if (machine.spot()) {
            pairs.add(pair("spot", "true"));
        }
        if (!machine.tags().isEmpty()) {
            StringJoiner tags = new StringJoiner(separator(), "{", "}");
            new TreeMap<>(machine.tags()).forEach((k, v) -> tags.add(text(k) + colon() + text(v)));
            pairs.add(pair("tags", tags.toString()));
        }
        line("machine", pairs);
    }

    private void tenant(List<String> pairs, String tenant) {
        if (!tenant.equals(NameRules.DEFAULT_TENANT)) {
            pairs.add(pair("tenant", text(tenant)));
        }
    }

    private void heading(String heading) throws IOException {
        if (style == Style.YAML) {
            out.append(heading);
        }
    }

    private void line(String kind, List<String> pairs) throws IOException {
        String object = "{" + String.join(separator(), pairs) + "}";
        out.append(style == Style.YAML ? "  - " + object + "\n" : "{\"" + kind + "\":" + object + "}\n");
    }

    private String pair(String key, String value) {
        return (style == Style.YAML ? key : '"' + key + '"') + colon() + value;
    }

    private String separator() {
        return style == Style.YAML ? ", " : ",";
    }

    private String colon() {
        return style == Style.YAML ? ": " : ":";
    }

    private String text(String text) {
        if (style == Style.YAML && PLAIN.matcher(text).matches() && !TAKEN.contains(text.toLowerCase(Locale.ROOT))) {
            return text;
        }
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
}
