package dev.ebb.devstack;

import dev.ebb.devstack.process.PidFile;
import dev.ebb.devstack.process.Signals;
import java.io.IOException;
import java.nio.file.Path;

/** A process that a test starts beside those of a stack, and that ends with them if the test is killed. */
public final class ForeignProcess {

    private static final String FOLDER = "run";

    private ForeignProcess() {}

    /** Has the guardian of the stack kill it when this program is killed. */
    public static void guard(Path stackFolder, String name, Process process) throws IOException {
        pidFile(stackFolder, name).write("KILL", process.toHandle());
    }

    /** To be called when it has ended. */
    public static void forget(Path stackFolder, String name) throws IOException {
        pidFile(stackFolder, name).delete();
    }

    /** Sends a signal such as STOP. */
    public static void signal(String signal, long pid) {
        Signals.send(signal, pid);
    }

    private static PidFile pidFile(Path stackFolder, String name) {
        return new PidFile(stackFolder.resolve(FOLDER).resolve("0-" + name + ".pid"));
    }
}
