package dev.ebb.cli;

import dev.ebb.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** What a command did: its exit code and what it wrote. */
public record CommandRun(int exitCode, String out, String err) {

    static CommandRun of(Map<String, String> environment, String in, Path home, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = Terminal.plain(new PrintWriter(out), new PrintWriter(err));
        ByteArrayInputStream input = new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8));
        int exitCode = EbbCommandLine.run(new CommandContext(terminal, input, environment, home), args);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }

    public static CommandRun of(String... args) {
        return of(Map.of(), "", Path.of("target", "no-home"), args);
    }
}
