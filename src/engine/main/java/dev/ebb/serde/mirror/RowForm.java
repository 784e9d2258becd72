package dev.ebb.serde.mirror;

import java.util.Locale;

/** Forms of the keys and rows of the mirror's stored data: events and executions. */
public enum RowForm {
    /** One JSON object, for every consumer. */
    JSON {
        @Override
        RowFields newFields() {
            return new JsonRow();
        }
    },
    /** Values without names, for the sink that comes with Ebb. */
    COMPACT {
        @Override
        RowFields newFields() {
            return new CompactRow();
        }
    },
    /** Compact keys and rows, with many changes of events in one record ({@link RowBlock}). */
    BLOCKS {
        @Override
        RowFields newFields() {
            return new CompactRow();
        }
    };

    /** Returns the form with the given name in the settings. */
    public static RowForm of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    abstract RowFields newFields();
}
