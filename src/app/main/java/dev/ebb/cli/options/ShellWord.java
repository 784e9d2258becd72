package dev.ebb.cli.options;

import java.util.regex.Pattern;

/** Texts as words of a shell's command line. Stateless. */
public final class ShellWord {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

    private ShellWord() {}

    /** Returns the text, in single quotes unless the shell takes it literally. */
    public static String of(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
