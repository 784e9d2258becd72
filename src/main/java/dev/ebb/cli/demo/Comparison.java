package dev.ebb.cli.demo;

import java.util.List;

/**
 * The same events seen in the stores and in SQL.
 *
 * @param stored what the stores hold, sorted
 * @param sql what the table holds, sorted
 */
record Comparison(List<EventRef> stored, List<EventRef> sql) {

    Comparison {
        stored = List.copyOf(stored);
        sql = List.copyOf(sql);
    }

    boolean agrees() {
        return stored.equals(sql);
    }
}
