package io.forewarn.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options that describe a machine, for {@code vm add} and {@code vm set}. */
final class MachineOptions {
    @Option(names = "--group", paramLabel = "NAME", description = "Its group.")
    private String group;

    @Option(
            names = "--update-domain",
            paramLabel = "N",
            description = "Domain within its group; default: the next in turn.")
    private Integer updateDomain;

    @Option(
            names = "--fault-domain",
            paramLabel = "N",
            description = "Domain within its group; default: the next in turn.")
    private Integer faultDomain;

    @Option(names = "--host", paramLabel = "NAME", description = "Host it runs on.")
    private String host;

    @Option(names = "--address", paramLabel = "IP", description = "Address it polls from. May be given several times.")
    private List<String> addresses;

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "A metadata listener for this machine only.")
    private String listen;

    @Option(names = "--spot", negatable = true, description = "It is a spot machine and may be evicted.")
    private Boolean spot;

    @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "May be given several times.")
    private Map<String, String> tags;

    /** The machine as in a fleet file, without members that were not given. */
    Map<String, Object> body() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("group", group);
        body.put("update-domain", updateDomain);
        body.put("fault-domain", faultDomain);
        body.put("host", host);
        body.put("addresses", addresses);
        body.put("listen", listen);
        body.put("spot", spot);
        body.put("tags", tags);
        body.values().removeIf(value -> value == null);
        return body;
    }
}
