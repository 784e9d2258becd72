package dev.ebb.bench.stack.sql;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.EventGenerator;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.PacedLoad;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** The time from the moment at which each event of a steady load is due until its row is gone from SQL. */
public final class SteadyLoad {

    private static final long POLL_MS = 50;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Lane lane;
    private final long seed;
    private final long maxAgeMs;
    private final Queue<Due> sent = new ConcurrentLinkedQueue<>();

    public SteadyLoad(Lane lane, long seed, Duration maxAge) {
        this.lane = lane;
        this.seed = seed;
        this.maxAgeMs = maxAge.toMillis();
    }

    private record Due(String id, long dueMs) {}

    /** Sends all events and returns when the last row has gone; the result is the lateness of each event in seconds. */
    public List<Double> run(int events, Duration time, SqlMirrorSetup mirror) throws InterruptedException {
        double perSecond = events / (double) time.toSeconds();
        try (Connection connection = mirror.connect();
                PacedLoad load = new PacedLoad(lane, perSecond, events, seed, this::sent)) {
            return watch(load, connection, events, time);
        } catch (SQLException e) {
            throw new VoidRunException("the mirror cannot be read: " + e.getMessage(), e);
        }
    }

    private void sent(EventGenerator.Timed next) {
        sent.add(new Due(next.event().id().value(), next.timestampMs() + maxAgeMs));
    }

    private List<Double> watch(PacedLoad load, Connection connection, int events, Duration time)
            throws SQLException, InterruptedException {
        List<Double> late = new ArrayList<>();
        List<Due> waiting = new ArrayList<>();
        long end = System.nanoTime() + time.plusMillis(maxAgeMs).plus(LIMIT).toNanos();
        while (late.size() < events) {
            load.requireSending();
            if (System.nanoTime() > end) {
                throw new VoidRunException(late.size() + " of " + events + " rows have gone");
            }
            long nowMs = System.currentTimeMillis();
            for (Due next = sent.peek(); next != null && next.dueMs() < nowMs; next = sent.peek()) {
                waiting.add(sent.remove());
            }
            late.addAll(gone(connection, waiting, nowMs));
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return late;
    }

    /**
     * Removes the events that are due and have no row, and returns their lateness in seconds. Their rows have existed,
     * since events live much longer than a row takes to arrive.
     */
    private List<Double> gone(Connection connection, List<Due> waiting, long nowMs) throws SQLException {
        if (waiting.isEmpty()) {
            return new ArrayList<>();
        }
        Set<String> there = overdue(connection, nowMs);
        long seenMs = System.currentTimeMillis();
        List<Double> late = new ArrayList<>();
        waiting.removeIf(due -> {
            boolean isGone = !there.contains(due.id());
            if (isGone) {
                late.add((seenMs - due.dueMs()) / 1e3);
            }
            return isGone;
        });
        return late;
    }

    private Set<String> overdue(Connection connection, long nowMs) throws SQLException {
        Set<String> ids = new HashSet<>();
        try (PreparedStatement query =
                connection.prepareStatement("SELECT event_id FROM event WHERE stored_at < ? AND occurred_at < ?")) {
            // Stored within half of its life, as is required in the end.
            query.setTimestamp(1, new Timestamp(nowMs - maxAgeMs / 2));
            query.setTimestamp(2, new Timestamp(nowMs - maxAgeMs));
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
        }
        return ids;
    }
}
