package io.forewarn.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A made-up fleet. Machine n is {@code vm-n} in {@code g-(n / size)} and owns a loopback address of its own. */
record FleetFile(Path file, int machines, int perGroup) {
    static FleetFile write(Path file, int machines, int perGroup) throws IOException {
        FleetFile fleet = new FleetFile(file, machines, perGroup);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int g = 0; g < fleet.groups(); g++) {
                out.write("{\"group\":{\"name\":\"" + fleet.groupName(g)
                        + "\",\"kind\":\"availability-set\",\"update-domains\":5,\"fault-domains\":2}}\n");
            }
            for (int m = 0; m < machines; m++) {
                out.write("{\"machine\":{\"name\":\"" + machine(m) + "\",\"group\":\"" + fleet.groupName(m / perGroup)
                        + "\",\"host\":\"host-" + m / 20 + "\",\"addresses\":[\"" + address(m) + "\"]}}\n");
            }
        }
        return fleet;
    }

    /** The same fleet on hosts of 25 machines, of which no two are of the same group. */
    static FleetFile spread(Path file, int machines) throws IOException {
        return spread(file, machines, 0);
    }

    /** The same with so many single machines {@code aside-n} on hosts of their own, the only ones with an address. */
    static FleetFile spread(Path file, int machines, int aside) throws IOException {
        int perGroup = 10;
        FleetFile fleet = new FleetFile(file, machines, perGroup);
        int hosts = machines / 25 / perGroup;
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int g = 0; g < fleet.groups(); g++) {
                out.write("{\"group\":{\"name\":\"" + fleet.groupName(g)
                        + "\",\"kind\":\"availability-set\",\"update-domains\":5,\"fault-domains\":2}}\n");
            }
            for (int m = 0; m < machines; m++) {
                int host = m % perGroup * hosts + m / perGroup % hosts;
                out.write("{\"machine\":{\"name\":\"" + machine(m) + "\",\"group\":\"" + fleet.groupName(m / perGroup)
                        + "\",\"host\":\"host-" + host + "\"}}\n");
            }
            for (int m = 0; m < aside; m++) {
                out.write("{\"machine\":{\"name\":\"" + aside(m) + "\",\"host\":\"" + aside(m) + "\",\"addresses\":[\""
                        + address(m) + "\"]}}\n");
            }
        }
        return fleet;
    }

    /**
     * Machines in groups of ten on hosts of 20 with the given name, after so many single machines with an address,
     * {@code aside-n} that are the same in every such file.
     */
    static FleetFile named(Path file, int machines, int aside, String host) throws IOException {
        FleetFile fleet = new FleetFile(file, machines, 10);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int m = 0; m < aside; m++) {
                out.write("{\"machine\":{\"name\":\"" + aside(m) + "\",\"host\":\"" + aside(m) + "\",\"addresses\":[\""
                        + address(m) + "\"]}}\n");
            }
            for (int g = 0; g < fleet.groups(); g++) {
                out.write("{\"group\":{\"name\":\"" + fleet.groupName(g)
                        + "\",\"kind\":\"availability-set\",\"update-domains\":5,\"fault-domains\":2}}\n");
            }
            for (int m = 0; m < machines; m++) {
                out.write("{\"machine\":{\"name\":\"" + machine(m) + "\",\"group\":\""
                        + fleet.groupName(m / fleet.perGroup) + "\",\"host\":\"" + host + "-" + m / 20 + "\"}}\n");
            }
        }
        return fleet;
    }

    int groups() {
        return (machines + perGroup - 1) / perGroup;
    }

    static String machine(int number) {
        return "vm-" + number;
    }

    static String aside(int number) {
        return "aside-" + number;
    }

    String groupName(int number) {
        return "g-" + number;
    }

    /** 127.0.0.1 is the first. */
    static String address(int number) {
        int n = number + 1;
        return "127." + (n >> 16) + "." + (n >> 8 & 255) + "." + (n & 255);
    }
}
