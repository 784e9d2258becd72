package dev.ebb.bench.harness;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** A description of this machine in one line, without its name. */
final class Machine {

    private static final double GIB = 1L << 30;

    private Machine() {}

    static String describe() {
        return String.format(
                Locale.ROOT,
                "%d cores, %.0f GiB, %s %s, Java %s",
                Runtime.getRuntime().availableProcessors(),
                memoryBytes() / GIB,
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                System.getProperty("java.version"));
    }

    private static long memoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
    }
}
