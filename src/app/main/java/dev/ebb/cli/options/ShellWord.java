package dev.ebb.cli.options;

import java.util.regex.Pattern;

/** Texts as words of a shell's command line. Stateless. */
public final class ShellWord {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

    private ShellWord() {}

    /** The text as it is if it means itself, or else in single quotes. */
    public static String of(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
