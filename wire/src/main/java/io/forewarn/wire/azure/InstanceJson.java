package io.forewarn.wire.azure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Builds the instance metadata of a machine: contract §6. Every leaf is a string. */
public final class InstanceJson {
    /**
     * Location and size, which the fleet does not record.
     *
     * @param location region that machines read in `/metadata/instance`
     * @param vmSize machine size that machines read in `/metadata/instance`
     */
    public record Place(String location, String vmSize) {
        public static final Place NOWHERE = new Place("local", "Standard");
    }

    /** A rendered node of the tree. */
    public record Node(byte[] body, boolean text) {}

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern SCALE_SET_NAME = Pattern.compile("(.+)_(\\d{1,9})");

    /** Any later date is accepted too: contract §6. */
    private static final String OLDEST_VERSION = "2017-08-01";

    private final Map<String, Object> root = new LinkedHashMap<>();

    public InstanceJson(Machine machine, Group group, Place place) {
        root.put("compute", compute(machine, group, place));
        root.put("network", Map.of("interface", List.of(networkInterface(machine))));
    }

    /** @param apiVersion as given; null if it was not given */
    public static boolean supports(String apiVersion) {
        return apiVersion != null && ApiVersion.isDate(apiVersion) && apiVersion.compareTo(OLDEST_VERSION) >= 0;
    }

    /**
     * @param path below {@code /metadata/instance}: names and list positions between slashes, blank for everything
     * @param text {@code format=text}: a leaf as plain text, anything else as the names of its children, one per line
     * @return empty if there is no such node
     */
    public Optional<Node> at(String path, boolean text) {
        Object node = root;
        for (String step : path.split("/")) {
            if (!step.isEmpty()) {
                node = child(node, step);
            }
        }
        if (node == null) {
            return Optional.empty();
        }
        return Optional.of(new Node((text ? text(node) : json(node)).getBytes(StandardCharsets.UTF_8), text));
    }

    private static Object child(Object node, String step) {
        if (node instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .filter(e -> ((String) e.getKey()).equalsIgnoreCase(step))
                    .findFirst()
                    .map(Map.Entry::getValue)
                    .orElse(null);
        }
        if (node instanceof List<?> list && step.matches("\\d{1,4}")) {
            int at = Integer.parseInt(step);
            return at < list.size() ? list.get(at) : null;
        }
        return null;
    }

    private static String json(Object node) {
        try {
            return JSON.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e); // Not possible: maps, lists and strings can always be written.
        }
    }

    private static String text(Object node) {
        List<String> lines = new ArrayList<>();
        if (node instanceof Map<?, ?> map) {
            map.forEach((name, value) -> lines.add(name + (value instanceof String ? "" : "/")));
        } else if (node instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                lines.add(i + (list.get(i) instanceof String ? "" : "/"));
            }
        } else {
            lines.add((String) node);
        }
        return String.join("\n", lines);
    }

    private static Map<String, Object> compute(Machine machine, Group group, Place place) {
        boolean scaleSet = group.kind() == GroupKind.SCALE_SET;
        Map<String, Object> compute = new LinkedHashMap<>();
        compute.put("location", place.location());
        compute.put("name", machine.name());
        compute.put("osProfile", Map.of("computerName", scaleSet ? hostName(machine.name()) : machine.name()));
        compute.put("osType", "Linux");
        compute.put("placementGroupId", scaleSet ? guid("placement/" + group.id()) : "");
        compute.put("platformFaultDomain", Integer.toString(machine.faultDomain()));
        compute.put("platformUpdateDomain", Integer.toString(machine.updateDomain()));
        compute.put("priority", machine.spot() ? "Spot" : "Regular");
        compute.put("resourceGroupName", group.id().name());
        compute.put("subscriptionId", guid("tenant/" + machine.id().tenant()));
        Map<String, String> tags = new TreeMap<>(machine.tags());
        compute.put(
                "tags",
                String.join(
                        ";",
                        tags.entrySet().stream()
                                .map(t -> t.getKey() + ":" + t.getValue())
                                .toList()));
        compute.put("tagsList", tags.entrySet().stream().map(InstanceJson::tag).toList());
        compute.put("vmId", guid("machine/" + machine.id()));
        compute.put("vmScaleSetName", scaleSet ? group.id().name() : "");
        compute.put("vmSize", place.vmSize());
        compute.put("zone", "");
        return compute;
    }

    private static Map<String, String> tag(Map.Entry<String, String> tag) {
        Map<String, String> pair = new LinkedHashMap<>();
        pair.put("name", tag.getKey());
        pair.put("value", tag.getValue());
        return pair;
    }

    private static Map<String, Object> networkInterface(Machine machine) {
        Map<String, Object> networkInterface = new LinkedHashMap<>();
        networkInterface.put("ipv4", Map.of("ipAddress", addresses(machine, false)));
        networkInterface.put("ipv6", Map.of("ipAddress", addresses(machine, true)));
        networkInterface.put("macAddress", "");
        return networkInterface;
    }

    private static List<Map<String, String>> addresses(Machine machine, boolean v6) {
        List<Map<String, String>> found = new ArrayList<>();
        for (String address : machine.addresses()) {
            if (address.contains(":") == v6) {
                Map<String, String> one = new LinkedHashMap<>();
                one.put("privateIpAddress", address);
                if (!v6) {
                    one.put("publicIpAddress", "");
                }
                found.add(one);
            }
        }
        return found;
    }

    /** The host name of the scale set instance {@code set_5} is {@code set000005}: its number in six base-36 digits. */
    static String hostName(String name) {
        Matcher numbered = SCALE_SET_NAME.matcher(name);
        if (!numbered.matches()) {
            return name;
        }
        String digits =
                Integer.toString(Integer.parseInt(numbered.group(2)), 36).toUpperCase(Locale.ROOT);
        return numbered.group(1) + "0".repeat(6 - digits.length()) + digits;
    }

    private static String guid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
