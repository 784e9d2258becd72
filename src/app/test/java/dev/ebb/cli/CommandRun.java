package dev.ebb.cli;

import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Exit code and output of a command. */
public record CommandRun(int exitCode, String out, String err) {

    public static CommandRun of(Map<String, String> environment, String in, Path home, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = Terminal.plain(new PrintWriter(out), new PrintWriter(err));
        int exitCode = EbbCommandLine.run(new CommandEnvironment(terminal, input(in), environment, home), args);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }

    /** Runs a command for a person who types {@code in}. */
    static CommandRun typed(Map<String, String> environment, String in, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), true, true, false, 200, 30);
        Path home = Path.of("target", "no-home");
        int exitCode =
                EbbCommandLine.run(new CommandEnvironment(terminal, input(in), () -> true, environment, home), args);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }

    private static InputStream input(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    public static CommandRun of(String... args) {
        return of(Map.of(), "", Path.of("target", "no-home"), args);
    }
}
