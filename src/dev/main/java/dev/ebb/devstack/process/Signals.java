package dev.ebb.devstack.process;

import dev.ebb.stacks.DevStackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Signals that Java's {@link Process} cannot send or ward off. */
public final class Signals {
    private static final String PRIVATE = "umask 077; exec \"$@\"";
    private static final boolean SETSID = onPath("setsid");

    private Signals() {}

    /**
     * A command that Ctrl-C on the terminal does not reach: it goes to every process of the foreground group, and the
     * services must outlive the application, which is still writing. A session of its own does it; where there is no
     * setsid, the signals are ignored, which programs inherit (PostgreSQL takes SIGINT back and stops early). Other
     * users may not read the files that the command writes.
     */
    public static List<String> shielded(List<String> command) {
        var shielded = new ArrayList<String>();
        if (SETSID) {
            shielded.addAll(List.of("setsid", "/bin/sh", "-c", PRIVATE, "sh"));
        } else {
            shielded.addAll(List.of("/bin/sh", "-c", "trap '' INT HUP QUIT; " + PRIVATE, "sh"));
        }
        shielded.addAll(command);
        return shielded;
    }

    /** Sends a signal such as INT, which {@link Process#destroy()} cannot; nothing happens if the process has ended. */
    public static void send(String signal, long pid) {
        try {
            new ProcessBuilder(
                            "/bin/sh", "-c", "kill -s \"$1\" -- \"$2\" 2>/dev/null", "sh", signal, Long.toString(pid))
                    .start()
                    .waitFor(5, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new DevStackException("cannot send SIG" + signal + " to process " + pid, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean onPath(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }
}
