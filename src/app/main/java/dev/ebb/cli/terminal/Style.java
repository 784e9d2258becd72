package dev.ebb.cli.terminal;

/** Emphasis of a piece of text. */
public enum Style {
    PLAIN(""),
    BOLD("1"),
    DIM("2"),
    RED("31"),
    GREEN("32"),
    YELLOW("33"),
    BLUE("34"),
    MAGENTA("35"),
    CYAN("36");

    private final String code;

    Style(String code) {
        this.code = code;
    }

    /** Returns the text between the control sequences that switch the style on and off. */
    String around(String text) {
        return code.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
