package dev.ebb.cli.terminal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Asks the system about the terminal. Java itself knows only whether input and output are both one. A script that
 * starts this process can find out without another process; it passes the file descriptors that are terminals, such as
 * {@code 012}, in the property {@code ebb.terminal}.
 */
final class TerminalProbe {

    private static final String TERMINALS = "ebb.terminal";
    private static final int MIN_COLUMNS = 40;
    private static final int MIN_LINES = 10;

    private TerminalProbe() {}

    /**
     * The size of the terminal in characters.
     *
     * @param columns width of the terminal
     * @param lines height of the terminal
     */
    record Size(int columns, int lines) {}

    /**
     * Returns true if the file descriptor, which a child inherits, is a terminal; false where that cannot be found out.
     */
    static boolean isTerminal(int descriptor) {
        String terminals = System.getProperty(TERMINALS);
        if (terminals != null) {
            return terminals.contains(Integer.toString(descriptor));
        }
        try {
            Process test = new ProcessBuilder("test", "-t", Integer.toString(descriptor))
                    .inheritIO()
                    .start();
            return test.waitFor(1, TimeUnit.SECONDS) && test.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Returns {@code COLUMNS} and {@code LINES} if they are set, or else the size that the terminal reports, or else
     * the defaults.
     */
    static Size size(Map<String, String> environment, int columns, int lines) {
        String[] measured =
                (environment.getOrDefault("LINES", "") + " " + environment.getOrDefault("COLUMNS", "")).split(" ", -1);
        if (number(measured[0], 0) == 0 || number(measured[1], 0) == 0) {
            measured = stty().split(" ", -1);
        }
        return measured.length == 2
                ? new Size(
                        Math.max(MIN_COLUMNS, number(measured[1], columns)),
                        Math.max(MIN_LINES, number(measured[0], lines)))
                : new Size(columns, lines);
    }

    private static String stty() {
        try {
            Process stty = new ProcessBuilder("sh", "-c", "stty size < /dev/tty").start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return size.strip();
        } catch (IOException e) {
            return "";
        }
    }

    private static int number(String text, int otherwise) {
        return text.matches("[1-9]\\d{0,4}") ? Integer.parseInt(text) : otherwise;
    }
}
