package dev.ebb.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the monthly partitions of the table of events: creates those of the current and the coming months, drops empty
 * ones of the past, and updates the planner's statistics after large changes. No statement waits longer than a moment
 * for a lock, so that no insert waits behind it. Only one instance works at a time. Not thread-safe.
 */
public final class EventPartitions {

    private static final Logger LOGGER = LoggerFactory.getLogger(EventPartitions.class);
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DEADLOCK = "40P01";
    /** A number that other programs are unlikely to use: the letters "ebb" and "part". */
    private static final long ADVISORY_LOCK = 0x65_62_62_70_61_72_74L;

    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final long MIN_CHANGES = 10_000;
    private static final int CHANGED_SHARE = 10;

    private final DataSource dataSource;
    private final Clock clock;
    private final Limits limits;
    private long analyzedChanges;

    public EventPartitions(DataSource dataSource, Clock clock) {
        this(dataSource, clock, Limits.USUAL);
    }

    EventPartitions(DataSource dataSource, Clock clock, Limits limits) {
        this.dataSource = dataSource;
        this.clock = clock;
        this.limits = limits;
    }

    /**
     * Limits of the maintenance, so that writers hardly notice it.
     *
     * @param attempts number of tries for a lock before the remaining work is left for the next time
     * @param movedRows most rows of a month that are moved out of the default partition, which is locked meanwhile
     * @param readRows most rows of the default partition, all of which are read under that lock
     */
    record Limits(int attempts, int movedRows, int readRows) {

        static final Limits USUAL = new Limits(40, 10_000, 200_000);
    }

    /**
     * Creates missing partitions and drops empty ones of the past. A step that cannot get its lock is left for the next
     * time, and so are all later steps: the holder of that lock most likely holds their locks too.
     *
     * @return false if another instance does this work, and nothing was done
     * @throws SqlMirrorException if the database cannot be reached, or refuses a statement
     */
    public boolean maintain() {
        try (Connection connection = dataSource.getConnection()) {
            if (!ask(connection, "SELECT pg_try_advisory_lock(" + ADVISORY_LOCK + ")")) {
                return false;
            }
            try {
                maintain(connection, clock.instant());
            } finally {
                // The lock also ends with its session, but only when the server has noticed the end.
                ask(connection, "SELECT pg_advisory_unlock(" + ADVISORY_LOCK + ")");
            }
            return true;
        } catch (SQLException e) {
            throw new SqlMirrorException("cannot keep the partitions of the mirror: " + e.getMessage(), e);
        }
    }

    private void maintain(Connection connection, Instant now) throws SQLException {
        // Set regardless of the database's default: a row that was written during the wait for the lock must be visible
        // after it.
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        execute(connection, "SET lock_timeout = '100ms'");
        List<YearMonth> existing = existing(connection);
        boolean isFree = create(connection, existing, now);
        if (isFree) {
            drop(connection, existing, now);
        }
        analyzeIfChanged(connection);
    }

    private boolean create(Connection connection, List<YearMonth> existing, Instant now) throws SQLException {
        for (YearMonth month : PartitionPlan.needed(now)) {
            if (!existing.contains(month)
                    && isSmall(connection, month)
                    && !change(connection, "ebb_create_event_partition", month, "partition created")) {
                return false;
            }
        }
        return true;
    }

    private void drop(Connection connection, List<YearMonth> existing, Instant now) throws SQLException {
        for (YearMonth month : PartitionPlan.past(existing, now)) {
            if (!holdsRows(connection, month)
                    && !change(connection, "ebb_drop_event_partition", month, "empty partition dropped")) {
                return;
            }
        }
    }

    /**
     * Returns true if the default partition is so small that it may stay locked while its rows are moved and read. Rows
     * that remain there are read and deleted like all others.
     */
    private boolean isSmall(Connection connection, YearMonth month) throws SQLException {
        String first = month.atDay(1) + " 00:00Z";
        String behind = month.plusMonths(1).atDay(1) + " 00:00Z";
        boolean isSmall = ask(
                connection,
                "SELECT "
                        + hasAtMost(
                                limits.movedRows(),
                                " WHERE stored_at >= '" + first + "' AND stored_at < '" + behind + "'")
                        + " AND " + hasAtMost(limits.readRows(), ""));
        if (!isSmall) {
            LOGGER.atWarn()
                    .addKeyValue("month", month)
                    .log("no partition made: event_default holds too many rows to be locked while they are moved."
                            + " They stay there until they are deleted; to move them now, stop the sink and call"
                            + " ebb_create_event_partition");
        }
        return isSmall;
    }

    private static String hasAtMost(int rows, String condition) {
        return "NOT EXISTS (SELECT FROM event_default" + condition + " OFFSET " + rows + ")";
    }

    private static List<YearMonth> existing(Connection connection) throws SQLException {
        List<YearMonth> months = new ArrayList<>();
        String children = "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
                + " WHERE i.inhparent = 'event'::regclass";
        try (PreparedStatement statement = connection.prepareStatement(children);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                PartitionPlan.monthOf(rows.getString(1)).ifPresent(months::add);
            }
        }
        return months;
    }

    /**
     * Returns true if the month has rows. Checked before locking: most past partitions have some, and no insert should
     * wait for the answer.
     */
    private static boolean holdsRows(Connection connection, YearMonth month) throws SQLException {
        return ask(
                connection,
                "SELECT EXISTS (SELECT FROM " + "event_%d_%02d".formatted(month.getYear(), month.getMonthValue())
                        + ")");
    }

    /** Returns false if the change could not get its lock. */
    private boolean change(Connection connection, String function, YearMonth month, String done) throws SQLException {
        for (int attempt = 1; attempt <= limits.attempts(); attempt++) {
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + function + "(?)")) {
                statement.setObject(1, LocalDate.of(month.getYear(), month.getMonth(), 1));
                if (isTrue(statement)) {
                    LOGGER.atInfo().addKeyValue("month", month).log(done);
                }
                return true;
            } catch (SQLException e) {
                giveWay(e, month);
            }
        }
        LOGGER.atWarn()
                .addKeyValue("month", month)
                .addKeyValue("attempts", limits.attempts())
                .log("partition is in use, left for later");
        return false;
    }

    private static void giveWay(SQLException e, YearMonth month) throws SQLException {
        if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState()) && !DEADLOCK.equals(e.getSQLState())) {
            throw e;
        }
        LOGGER.atDebug().addKeyValue("month", month).log("partition is in use, trying again");
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw e;
        }
    }

    /** Analyzes the table if much has changed. Autovacuum analyzes each partition, but never the table as a whole. */
    private void analyzeIfChanged(Connection connection) throws SQLException {
        long changes = number(connection, "sum(n_tup_ins + n_tup_upd + n_tup_del)");
        long live = number(connection, "sum(n_live_tup)");
        if (changes - analyzedChanges > Math.max(MIN_CHANGES, live / CHANGED_SHARE)) {
            // No insert waits behind this statement.
            execute(connection, "RESET lock_timeout");
            execute(connection, "ANALYZE event");
            LOGGER.atInfo().addKeyValue("changes", changes - analyzedChanges).log("table of events analyzed");
            analyzedChanges = changes;
        }
    }

    private static long number(Connection connection, String aggregate) throws SQLException {
        String query = "SELECT coalesce(" + aggregate + ", 0) FROM pg_stat_user_tables s"
                + " JOIN pg_inherits i ON i.inhrelid = s.relid WHERE i.inhparent = 'event'::regclass";
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private static boolean ask(Connection connection, String query) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            return isTrue(statement);
        }
    }

    private static boolean isTrue(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }
}
