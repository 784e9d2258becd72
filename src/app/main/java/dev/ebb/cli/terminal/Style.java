package dev.ebb.cli.terminal;

/** Style in which a piece of text stands out. */
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

    /** The text between the sequences of the terminal that switch the style on and off. */
    String around(String text) {
        return code.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
