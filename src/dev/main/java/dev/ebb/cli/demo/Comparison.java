package dev.ebb.cli.demo;

import java.util.List;

/**
 * Events in the stores, compared with those in SQL.
 *
 * @param stored events in the stores, sorted
 * @param sql events in the table, sorted
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
