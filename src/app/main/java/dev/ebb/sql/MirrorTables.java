package dev.ebb.sql;

import dev.ebb.domain.command.RowKey;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.MirrorTable.Column;
import dev.ebb.serde.mirror.MirrorTable.Kind;
import dev.ebb.serde.mirror.RowImage;
import dev.ebb.serde.mirror.SqlTimes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tables that mirror the stores, in the order of their keys. Of payloads only the hash leaves the
 * database; rows are fetched a few hundred at a time, so that memory does not depend on their number. Thread-safe.
 */
public final class MirrorTables {

    private static final int FETCH_SIZE = 500;
    private static final int TIMEOUT_SECONDS = 50;

    private final DataSource dataSource;

    public MirrorTables(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Passes the next rows of the table to the visitor.
     *
     * @param after the {@linkplain RowImage#key() key} after which to begin; null to begin with the first row
     * @param limit most rows of the answer
     * @throws SqlMirrorException if the database cannot be read
     */
    public void read(MirrorTable table, @Nullable List<String> after, int limit, Consumer<RowImage> visitor) {
        Query query = new Query(table);
        query.after(after);
        read(query, limit, visitor);
    }

    /**
     * Passes the next rows of one stream in the table to the visitor.
     *
     * @param month the month of the rows; null for all months, and for a table without months
     */
    public void read(
            MirrorTable table,
            String stream,
            @Nullable YearMonth month,
            @Nullable List<String> after,
            int limit,
            Consumer<RowImage> visitor) {
        Query query = new Query(table);
        query.where("stream = ?", stream);
        if (month != null) {
            query.from("stored_at >= ?", RowImage.firstOf(month));
            query.from("stored_at < ?", RowImage.behind(month));
        }
        query.after(after);
        read(query, limit, visitor);
    }

    /** Returns the existing rows of events with the given keys in one stream. */
    public List<RowImage> find(String stream, List<RowKey> keys) {
        // Each key is looked up separately through the primary key, however many rows the stream has.
        String query = "SELECT " + select(MirrorTable.EVENTS) + " FROM unnest(?::timestamptz[], ?::text[]) k (at, id)"
                + " CROSS JOIN LATERAL (SELECT * FROM event WHERE stored_at = k.at AND stream = ? AND event_id = k.id"
                + " OFFSET 0) t";
        List<RowImage> found = new ArrayList<>();
        read(query, MirrorTable.EVENTS, found::add, (connection, statement) -> {
            Object[] times =
                    keys.stream().map(key -> SqlTimes.text(key.instant())).toArray();
            Object[] ids = keys.stream().map(RowKey::eventId).toArray();
            statement.setArray(1, connection.createArrayOf("text", times));
            statement.setArray(2, connection.createArrayOf("text", ids));
            statement.setString(3, stream);
        });
        return found;
    }

    /** Returns the existing rows of executions with the given numbers in one stream. */
    public List<RowImage> findExecutions(String stream, List<Long> numbers) {
        String query =
                "SELECT " + select(MirrorTable.EXECUTIONS) + " FROM execution WHERE stream = ? AND execution = ANY (?)";
        List<RowImage> found = new ArrayList<>();
        read(query, MirrorTable.EXECUTIONS, found::add, (connection, statement) -> {
            statement.setString(1, stream);
            statement.setArray(2, connection.createArrayOf("bigint", numbers.toArray()));
        });
        return found;
    }

    private void read(Query query, int limit, Consumer<RowImage> visitor) {
        read(query.text(limit), query.table, visitor, (connection, statement) -> query.bind(statement));
    }

    private void read(String query, MirrorTable table, Consumer<RowImage> visitor, Parameters parameters) {
        try (Connection connection = dataSource.getConnection()) {
            // Without a transaction the driver would fetch all rows at once.
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            try (PreparedStatement statement = connection.prepareStatement(query)) {
                statement.setFetchSize(FETCH_SIZE);
                statement.setQueryTimeout(TIMEOUT_SECONDS);
                parameters.bind(connection, statement);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        visitor.accept(image(table, rows));
                    }
                }
            }
            connection.commit();
        } catch (SQLException e) {
            throw new SqlMirrorException("cannot read the table " + table.tableName() + ": " + e.getMessage(), e);
        }
    }

    private interface Parameters {
        void bind(Connection connection, PreparedStatement statement) throws SQLException;
    }

    private static String select(MirrorTable table) {
        return table.columns().stream().map(MirrorTables::expression).collect(Collectors.joining(", "));
    }

    private static String expression(Column column) {
        return switch (column.kind()) {
            case BYTES -> "encode(sha256(" + column.name() + "), 'hex')";
            case TRUTH -> column.name() + "::text";
            case JSON -> column.name() + "::text";
            case TEXT, NUMBER, TIME -> column.name();
        };
    }

    private static RowImage image(MirrorTable table, ResultSet rows) throws SQLException {
        RowImage.Builder row = new RowImage.Builder(table);
        int index = 0;
        for (Column column : table.columns()) {
            index++;
            switch (column.kind()) {
                case TIME -> row.time(SqlTime.read(rows, index));
                case JSON -> row.json(rows.getString(index));
                case TEXT, NUMBER, TRUTH, BYTES -> row.plain(rows.getString(index));
            }
        }
        return row.build();
    }

    /** A query under construction, and its parameters. */
    private static final class Query {

        private final MirrorTable table;
        private final List<String> conditions = new ArrayList<>();
        private final List<Object> values = new ArrayList<>();

        Query(MirrorTable table) {
            this.table = table;
        }

        void where(String condition, Object value) {
            conditions.add(condition);
            values.add(value);
        }

        void from(String condition, @Nullable Instant time) {
            if (time != null) {
                where(condition, SqlTime.of(time));
            }
        }

        void after(@Nullable List<String> key) {
            if (key == null) {
                return;
            }
            if (key.size() != table.key().size()) {
                throw new IllegalArgumentException("it is no key of " + table.tableName());
            }
            conditions.add("(" + names() + ") > (" + "?, ".repeat(key.size() - 1) + "?)");
            for (int i = 0; i < key.size(); i++) {
                values.add(value(table.key().get(i).kind(), key.get(i)));
            }
        }

        String text(int limit) {
            String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
            return "SELECT " + select(table) + " FROM " + table.tableName() + where + " ORDER BY " + names() + " LIMIT "
                    + limit;
        }

        void bind(PreparedStatement statement) throws SQLException {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
        }

        private String names() {
            return table.key().stream().map(Column::name).collect(Collectors.joining(", "));
        }

        private static Object value(Kind kind, String text) {
            return switch (kind) {
                case TIME -> SqlTime.of(Instant.parse(text));
                case NUMBER -> Long.valueOf(text);
                case TEXT, TRUTH, JSON, BYTES -> text;
            };
        }
    }
}
