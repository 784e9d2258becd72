package dev.ebb.devstack.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the process that listens on a port, in the files of Linux below /proc; on other systems the owner is unknown.
 */
final class PortOwner {
    private static final Path PROC = Path.of("/proc");
    private static final List<String> TABLES = List.of("net/tcp", "net/tcp6");
    private static final String LISTEN = "0A";
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    /** The end of the address 127.98.98.1 in these tables, on little-endian machines. */
    private static final String CLAIMS = "0162627F:";

    private static final int COMMAND_LENGTH = 60;

    private PortOwner() {}

    /** Returns the owner of a port, such as {@code pid 123 (/usr/bin/postgres -D …)}, or {@code another process}. */
    static String of(int port) {
        try {
            Set<String> sockets = socketsListeningOn(port, address -> true);
            return sockets.isEmpty()
                    ? "another process"
                    : processWithOneOf(sockets).orElse("another user's process");
        } catch (IOException e) {
            return "another process";
        }
    }

    /**
     * Returns true if a process other than the given one and those that it started listens on a port; false where this
     * cannot be found out. Claims to the port do not count.
     */
    static boolean isAnothers(int port, ProcessHandle process) {
        try {
            Set<String> sockets = socketsListeningOn(port, address -> !address.contains(CLAIMS));
            return !sockets.isEmpty()
                    && Stream.concat(Stream.of(process), process.descendants()).noneMatch(own -> hasOneOf(sockets, own))
                    && processWithOneOf(sockets).isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    private static Set<String> socketsListeningOn(int port, Predicate<String> address) throws IOException {
        var end = String.format(Locale.ROOT, ":%04X", port);
        var sockets = new HashSet<String>();
        for (String table : TABLES) {
            if (Files.isReadable(PROC.resolve(table))) {
                Files.readAllLines(PROC.resolve(table)).stream()
                        .map(line -> line.strip().split("\\s+", -1))
                        .filter(fields -> fields.length > INODE && fields[STATE].equals(LISTEN))
                        .filter(fields -> fields[LOCAL_ADDRESS].endsWith(end) && address.test(fields[LOCAL_ADDRESS]))
                        .forEach(fields -> sockets.add("socket:[" + fields[INODE] + "]"));
            }
        }
        return sockets;
    }

    private static Optional<String> processWithOneOf(Set<String> sockets) {
        return ProcessHandle.allProcesses()
                .filter(process -> hasOneOf(sockets, process))
                .findFirst()
                .map(process -> "pid %d (%s)".formatted(process.pid(), command(process)));
    }

    private static boolean hasOneOf(Set<String> sockets, ProcessHandle process) {
        try (Stream<Path> open = Files.list(PROC.resolve(process.pid() + "/fd"))) {
            return open.anyMatch(descriptor -> sockets.contains(target(descriptor)));
        } catch (IOException e) {
            return false;
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static String command(ProcessHandle process) {
        var line =
                process.info().commandLine().or(() -> process.info().command()).orElse("unknown");
        return line.length() <= COMMAND_LENGTH ? line : line.substring(0, COMMAND_LENGTH) + "…";
    }
}
