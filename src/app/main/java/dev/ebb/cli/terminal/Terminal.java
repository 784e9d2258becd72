package dev.ebb.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Output of a command. Always UTF-8, whatever the locale says, since names of streams may be anything.
 *
 * @param out for results
 * @param err for everything that is said about them
 * @param isOutTerminal true if a person sees the results; else they go to a file or program
 * @param isErrTerminal true if a person sees the rest
 * @param hasColours true if styles are shown
 * @param columns width of a line; {@link Integer#MAX_VALUE} if it has no limit
 * @param lines number of lines that can be seen at once
 */
public record Terminal(
        PrintWriter out,
        PrintWriter err,
        boolean isOutTerminal,
        boolean isErrTerminal,
        boolean hasColours,
        int columns,
        int lines) {

    private static final int DEFAULT_COLUMNS = 100;
    private static final int DEFAULT_LINES = 30;

    /** The terminal of this process. {@code NO_COLOR} and {@code TERM=dumb} switch styles off. */
    public static Terminal ofProcess(Map<String, String> environment) {
        boolean isOut = TerminalProbe.isTerminal(1);
        boolean isErr = TerminalProbe.isTerminal(2);
        boolean isDumb = "dumb".equals(environment.get("TERM"));
        boolean mayColour = environment.getOrDefault("NO_COLOR", "").isEmpty() && !isDumb;
        TerminalProbe.Size size = isOut || isErr
                ? TerminalProbe.size(environment, DEFAULT_COLUMNS, DEFAULT_LINES)
                : new TerminalProbe.Size(DEFAULT_COLUMNS, DEFAULT_LINES);
        return new Terminal(
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                isOut && !isDumb,
                isErr && !isDumb,
                isOut && mayColour,
                isOut ? size.columns() : Integer.MAX_VALUE,
                size.lines());
    }

    /** A terminal that is none: plain text of any width into these writers. */
    public static Terminal plain(PrintWriter out, PrintWriter err) {
        return new Terminal(out, err, false, false, false, Integer.MAX_VALUE, DEFAULT_LINES);
    }

    /** Returns true if a person types what this process reads; false where that cannot be found out. */
    public static boolean isInputTerminal() {
        return TerminalProbe.isTerminal(0);
    }

    /** This terminal with results on the error stream, for output that is shown before there is a result. */
    public Terminal onErrors() {
        return new Terminal(err, err, isErrTerminal, isErrTerminal, hasColours, columns, lines);
    }

    /** This terminal without a word on the error stream. */
    public Terminal withoutErrors() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return new Terminal(out, nowhere, isOutTerminal, false, hasColours, columns, lines);
    }

    /** The text in that style, or as it is where styles are not shown. */
    public String styled(Style style, String text) {
        return hasColours ? style.around(text) : text;
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), true);
    }
}
