package dev.ebb.devstack.process;

import dev.ebb.stacks.DevStackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Signals to the processes of the stack: those that Java's {@link Process} cannot send or shield from, and the last
 * one.
 */
public final class Signals {
    private static final String PRIVATE = "umask 077; exec \"$@\"";
    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
    private static final boolean SETSID = onPath("setsid");

    private Signals() {}

    /**
     * Returns the command shielded from Ctrl-C on the terminal. Ctrl-C reaches every process of the foreground group,
     * and the services must outlive the application, which is still writing. The command gets a session of its own;
     * where there is no setsid, the signals are ignored, which child processes inherit (PostgreSQL handles SIGINT again
     * and stops early). Other users may not read the files that the command writes.
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

    /**
     * Sends a signal such as INT, which {@link Process#destroy()} cannot send; does nothing if the process has ended.
     */
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

    /** Sends a signal, waits for the end, and kills the process if it has not ended within the limit. */
    static void end(Process process, String signal, Duration limit) {
        send(signal, process.pid());
        if (!hasEnded(process, limit)) {
            kill(process);
        }
    }

    /** Kills the process and those that it has started; returns when all are gone. */
    static void kill(Process process) {
        var descendants = process.descendants().toList();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
        hasEnded(process, KILL_LIMIT);
        descendants.forEach(descendant -> descendant
                .onExit()
                .completeOnTimeout(descendant, KILL_LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join());
    }

    private static boolean hasEnded(Process process, Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Returns the failure of an interrupted wait; the thread stays interrupted. */
    public static DevStackException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new DevStackException("interrupted", cause);
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
