package dev.ebb.plan;

import dev.ebb.cli.terminal.Texts;

/** The effect of {@code mirror: none} on SQL, in words: it deletes no event (F-13). */
public final class LostRows {

    private LostRows() {}

    /**
     * Returns what goes beside events that the sentence has named.
     *
     * @param rows number of rows that go; 0 or more
     * @return a part of a sentence behind a semicolon; empty if no row goes
     */
    public static String afterOthers(long rows) {
        return rows == 0 ? "" : "; " + Texts.counted(rows, "row") + " would go from SQL, and the events stay";
    }
}
