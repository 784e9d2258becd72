package dev.ebb.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of rows that the database has refused, as the sinks of Ebb keep them in {@code mirror_refused} (O-24). Logs
 * when the first one comes and when the last one has gone. Thread-safe.
 */
public final class RefusedRows {

    private static final Logger LOGGER = LoggerFactory.getLogger(RefusedRows.class);

    private static final String COUNT =
            "SELECT connector, count(*), max(reason) FROM mirror_refused GROUP BY connector ORDER BY connector";
    private static final String READ = """
            SELECT table_name, row_key, reason, deleted, refused_at, topic, partition, position, count(*) OVER ()
            FROM mirror_refused ORDER BY refused_at DESC, connector, row_hash LIMIT ?""";
    private static final int TIMEOUT_SECONDS = 50;

    private final DataSource dataSource;
    private volatile Map<String, Long> counts = Map.of();
    private volatile String reason = "";

    RefusedRows(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Returns the number of refused rows by connector, as of the last look; connectors without any are left out. */
    Map<String, Long> counts() {
        return counts;
    }

    /** Returns the reason of one of the refused rows; empty if there are none. */
    String reason() {
        return reason;
    }

    /**
     * Looks at the table.
     *
     * @throws SqlMirrorException if the database cannot be read
     */
    void look() {
        Map<String, Long> found = new HashMap<>();
        String why = "";
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(COUNT)) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.put(rows.getString(1), rows.getLong(2));
                    why = rows.getString(3);
                }
            }
        } catch (SQLException e) {
            throw cannotRead(e);
        }
        log(found, why);
        reason = why;
        counts = Map.copyOf(found);
    }

    private void log(Map<String, Long> found, String why) {
        if (counts.isEmpty() && !found.isEmpty()) {
            LOGGER.atWarn()
                    .addKeyValue("rows", found)
                    .addKeyValue("problem", why)
                    .log("the database refuses rows, which are set aside: 'ebb verify' names them");
        } else if (!counts.isEmpty() && found.isEmpty()) {
            LOGGER.atInfo().log("no row is refused by the database any more");
        }
    }

    /**
     * A refused change.
     *
     * @param table the table that was to take it
     * @param key the key of the row as a JSON object; another text if the record held none
     * @param reason the error of the database, without values of the row
     * @param isDelete true if the row was to be deleted
     * @param refusedAt the time at which it was refused last
     * @param record topic, partition and offset of the change
     * @param all the number of all refused changes
     */
    public record Refused(
            String table, String key, String reason, boolean isDelete, String refusedAt, String record, long all) {}

    /**
     * Returns the refused rows, the newest first.
     *
     * @param most most rows of the answer
     * @throws SqlMirrorException if the database cannot be read
     */
    public List<Refused> read(int most) {
        List<Refused> rows = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            statement.setInt(1, most);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.add(new Refused(
                            found.getString(1),
                            found.getString(2),
                            found.getString(3),
                            found.getBoolean(4),
                            String.valueOf(SqlTime.read(found, 5)),
                            found.getString(6) + "-" + found.getInt(7) + "@" + found.getLong(8),
                            found.getLong(9)));
                }
            }
        } catch (SQLException e) {
            throw cannotRead(e);
        }
        return rows;
    }

    private static SqlMirrorException cannotRead(SQLException e) {
        return new SqlMirrorException("cannot read the table mirror_refused: " + e.getMessage(), e);
    }
}
