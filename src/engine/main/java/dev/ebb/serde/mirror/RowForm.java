package dev.ebb.serde.mirror;

/** The form of the keys and rows of the mirror's stored data: events and executions. */
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
    };

    abstract RowFields newFields();
}
