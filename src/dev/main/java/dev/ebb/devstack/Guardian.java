package dev.ebb.devstack;

import dev.ebb.devstack.process.Signals;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A shell that stops the services by their pid files if this process is killed, which it outlives. It waits for the end
 * of its input, which the operating system closes with this process, however that ends.
 */
final class Guardian implements AutoCloseable {
    private static final String SCRIPT = """
            cat >/dev/null
            cd "$1" 2>/dev/null || exit 0
            for file in *.pid; do
              read -r signal pid rest 2>/dev/null <"$file" || continue
              kill -s "$signal" "$pid" 2>/dev/null
              tries=0
              while kill -s 0 "$pid" 2>/dev/null && [ $tries -lt 80 ]; do sleep 0.1; tries=$((tries + 1)); done
              kill -s KILL "$pid" 2>/dev/null
              rm -f "$file"
            done
            rm -f "$2" ${3:+"$3"}
            """;

    private final Process process;

    private Guardian(Process process) {
        this.process = process;
    }

    /**
     * Starts a guardian of the services in {@code pidFolder}; it deletes {@code endpoints} and the note when they are
     * gone.
     */
    static Guardian start(Path pidFolder, Path endpoints, Optional<Path> note) throws IOException {
        List<String> command = List.of(
                "/bin/sh",
                "-c",
                SCRIPT,
                "ebb-guardian",
                pidFolder.toString(),
                endpoints.toString(),
                note.map(Path::toString).orElse(""));
        return new Guardian(new ProcessBuilder(Signals.shielded(command))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start());
    }

    /** Ends the guardian; must be called when no service runs any more. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
