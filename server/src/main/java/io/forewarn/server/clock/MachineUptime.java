package io.forewarn.server.clock;

import io.forewarn.core.Uptime;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/** Reads this machine's uptime, if the kernel provides it. */
public final class MachineUptime implements Supplier<Uptime> {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path UP = Path.of("/proc/uptime");

    @Override
    public Uptime get() {
        try {
            String up = Files.readString(UP).trim().split(" ", 2)[0];
            long millis = new BigDecimal(up).movePointRight(3).longValue();
            return new Uptime(Files.readString(BOOT).trim(), Duration.ofMillis(millis));
        } catch (IOException | NumberFormatException elsewhere) {
            return Uptime.UNKNOWN;
        }
    }
}
