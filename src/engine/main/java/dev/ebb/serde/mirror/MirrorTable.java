package dev.ebb.serde.mirror;

import java.util.List;

/**
 * The tables of the mirror that hold stored data, with the columns in which rows and stored data are compared;
 * the one definition for both sides.
 */
public enum MirrorTable {
    /** One row for each event. */
    EVENTS(
            "event",
            text("stream"),
            time("stored_at"),
            text("event_id"),
            text("namespace"),
            text("type"),
            text("status"),
            truth("terminal"),
            time("occurred_at"),
            time("completed_at"),
            number("ttl_seconds"),
            truth("no_expiration"),
            time("expires_at"),
            number("execution"),
            text("correlation_id"),
            text("content_type"),
            new Column("metadata", Kind.JSON),
            new Column("payload", Kind.BYTES),
            number("size_bytes")),
    /**
     * One row for each declared execution. The parent is left out: a row has the parent of the time at which it was
     * written.
     */
    EXECUTIONS(
            "execution",
            text("stream"),
            number("execution"),
            text("status"),
            truth("terminal"),
            time("started_at"),
            time("completed_at"));

    private final String tableName;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Column> columns;

    MirrorTable(String tableName, Column... columns) {
        this.tableName = tableName;
        this.columns = List.of(columns);
    }

    /** Kinds of values of a column. */
    public enum Kind {
        TEXT,
        NUMBER,
        TRUTH,
        /** A time; SQL keeps it to the microsecond. */
        TIME,
        /** JSON inside a text; the order of fields has no meaning. */
        JSON,
        /** Bytes, compared by their SHA-256. */
        BYTES
    }

    /** A column; the field of the mirror row has the same name. */
    public record Column(String name, Kind kind) {}

    /** Returns the name of the table in SQL. */
    public String tableName() {
        return tableName;
    }

    /** Returns the columns that are compared; the first ones are the key. */
    public List<Column> columns() {
        return columns;
    }

    /** Returns the columns of the key: the stream, and the columns that identify a row of the stream. */
    public List<Column> key() {
        return columns.subList(0, this == EVENTS ? 3 : 2);
    }

    private static Column text(String name) {
        return new Column(name, Kind.TEXT);
    }

    private static Column number(String name) {
        return new Column(name, Kind.NUMBER);
    }

    private static Column truth(String name) {
        return new Column(name, Kind.TRUTH);
    }

    private static Column time(String name) {
        return new Column(name, Kind.TIME);
    }
}
