package dev.ebb.topology.trash;

import java.util.Map;

/** Counts of the trash for tests. */
public final class TestBook {

    private TestBook() {}

    /** Counts that are written down nowhere. */
    public static TrashBook empty() {
        return new TrashBook(Map.of(), (name, value) -> {}, () -> {});
    }
}
