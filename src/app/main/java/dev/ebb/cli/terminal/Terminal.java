package dev.ebb.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Output of a command. Always UTF-8, whatever the locale, since names of streams may contain any character.
 *
 * @param out the stream of results
 * @param err the stream of all messages about results
 * @param isOutTerminal true if a person sees the results; false if they go to a file or a program
 * @param isErrTerminal true if a person sees the messages
 * @param hasColours true if styles are shown
 * @param columns the width of a line; {@link Integer#MAX_VALUE} for no limit
 * @param lines the number of visible lines
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

    /** Returns the terminal of this process. {@code NO_COLOR} and {@code TERM=dumb} switch styles off. */
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

    /** Returns an output that is no terminal: plain text of any width, written to these writers. */
    public static Terminal plain(PrintWriter out, PrintWriter err) {
        return new Terminal(out, err, false, false, false, Integer.MAX_VALUE, DEFAULT_LINES);
    }

    /** Returns true if a person types the input of this process; false where that cannot be found out. */
    public static boolean isInputTerminal() {
        return TerminalProbe.isTerminal(0);
    }

    /** Returns this terminal with results on the error stream, for output that precedes the result. */
    public Terminal onErrors() {
        return new Terminal(err, err, isErrTerminal, isErrTerminal, hasColours, columns, lines);
    }

    /** Returns this terminal with a silent error stream. */
    public Terminal withoutErrors() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return new Terminal(out, nowhere, isOutTerminal, false, hasColours, columns, lines);
    }

    /** Returns the text in that style, or unchanged where styles are not shown. */
    public String styled(Style style, String text) {
        return hasColours ? style.around(text) : text;
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), true);
    }
}
