package dev.ebb.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Scripts of a shell that has no variables but those of the test, as on a machine of a stranger. */
final class Shell {

    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final int MOST_SECONDS = 1100;

    private final Path folder;
    private final Map<String, String> variables;

    /**
     * @param folder where the scripts run
     * @param variables beside PATH and HOME
     */
    Shell(Path folder, Map<String, String> variables) {
        this.folder = folder;
        this.variables = Map.copyOf(variables);
    }

    /** Output and exit code of a script. */
    record Outcome(int exitCode, String text) {}

    /** Runs a script to its end; output and errors are in one text. */
    Outcome run(String script) throws IOException, InterruptedException {
        Path output = Files.createTempFile("shell", ".txt");
        Process process = builder(script)
                .redirectOutput(output.toFile())
                .redirectErrorStream(true)
                .start();
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("not within " + MOST_SECONDS + " s: " + script);
        }
        String text = Files.readString(output, UTF_8);
        Files.delete(output);
        return new Outcome(process.exitValue(), text);
    }

    /** Runs a script that must succeed, and returns its output and errors. */
    String must(String script) throws IOException, InterruptedException {
        Outcome outcome = run(script);
        assertThat(outcome.exitCode()).as(script + "\n" + outcome.text()).isZero();
        return outcome.text();
    }

    /** Starts a script that goes on, and lets its output go to a file. */
    Process start(String script, Path log) throws IOException {
        return builder(script)
                .redirectOutput(log.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private ProcessBuilder builder(String script) {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-euc", script).directory(folder.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().clear();
        builder.environment().put("PATH", PATH);
        builder.environment().put("HOME", folder.toString());
        builder.environment().putAll(variables);
        return builder;
    }
}
