package io.forewarn.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** What a machine shall be like, as far as it is said. */
final class MachineOptions {
    @Option(names = "--group", paramLabel = "NAME", description = "Its group.")
    private String group;

    @Option(names = "--update-domain", paramLabel = "N", description = "Which of its group; else the next in turn.")
    private Integer updateDomain;

    @Option(names = "--fault-domain", paramLabel = "N", description = "Which of its group; else the next in turn.")
    private Integer faultDomain;

    @Option(names = "--host", paramLabel = "NAME", description = "What it runs on.")
    private String host;

    @Option(names = "--address", paramLabel = "IP", description = "Where it asks from. May be given several times.")
    private List<String> addresses;

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "A listener of its own.")
    private String listen;

    @Option(names = "--spot", negatable = true, description = "It may be taken away.")
    private Boolean spot;

    @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "May be given several times.")
    private Map<String, String> tags;

    /** A machine of the fleet file, without what is not said. */
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
