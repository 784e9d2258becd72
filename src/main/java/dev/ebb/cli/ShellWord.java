package dev.ebb.cli;

import java.util.regex.Pattern;

/** Texts as words of a shell's command line. Stateless. */
final class ShellWord {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

    private ShellWord() {}

    /** The text as it is if it means itself, or else in single quotes. */
    static String of(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
