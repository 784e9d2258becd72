package dev.ebb.bench.stack.sql;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.EventGenerator;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.Lane;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
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
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * Events that occur now, at equal distances, and the time from the moment at which each row is due until it is gone
 * from SQL.
 */
public final class SteadyLoad {

    private static final long POLL_MS = 50;
    private static final int PAYLOAD_BYTES = 200;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Lane lane;
    private final int streams;
    private final SplittableRandom random;
    private final String series;
    private final long maxAgeMs;
    private final Queue<Due> sent = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    public SteadyLoad(Lane lane, int streams, long seed, Duration maxAge) {
        this.lane = lane;
        this.streams = streams;
        this.random = new SplittableRandom(seed);
        this.series = Long.toString(seed);
        this.maxAgeMs = maxAge.toMillis();
    }

    private record Due(String id, long dueMs) {}

    /** Sends all events and returns when the last row has gone; the result is the lateness of each event in seconds. */
    public List<Double> run(int events, Duration time, SqlMirrorSetup mirror) throws InterruptedException {
        Thread sender = new Thread(() -> send(events, time), "bench-steady-load");
        sender.start();
        try (Connection connection = mirror.connect()) {
            List<Double> late = watch(connection, events, time);
            sender.join();
            return late;
        } catch (SQLException e) {
            throw new VoidRunException("the mirror cannot be read: " + e.getMessage(), e);
        } finally {
            sender.interrupt();
        }
    }

    private void send(int events, Duration time) {
        EventSender sender = new EventSender(lane, EventSender.BY_STREAM);
        long begin = System.nanoTime();
        try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
            for (int i = 0; i < events; i++) {
                TimeUnit.NANOSECONDS.sleep(begin + time.toNanos() / events * i - System.nanoTime());
                long now = System.currentTimeMillis();
                String id = series + "-" + i;
                var unused = producer.send(sender.record(new EventGenerator.Timed(event(id, now), now, false)));
                sent.add(new Due(id, now + maxAgeMs));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    private Event event(String id, long occurredAt) {
        byte[] payload = new byte[PAYLOAD_BYTES];
        random.nextBytes(payload);
        StreamName stream = new StreamName("bench/late-" + random.nextInt(streams));
        return EventGenerator.event(
                stream, new EventId(id), EventGenerator.COMPLETED, occurredAt, OwnTtl.NONE, payload);
    }

    private List<Double> watch(Connection connection, int events, Duration time)
            throws SQLException, InterruptedException {
        List<Double> late = new ArrayList<>();
        List<Due> waiting = new ArrayList<>();
        long end = System.nanoTime() + time.plusMillis(maxAgeMs).plus(LIMIT).toNanos();
        while (late.size() < events) {
            RuntimeException reason = failure.get();
            if (reason != null) {
                throw new VoidRunException("the load cannot be sent: " + reason.getMessage(), reason);
            }
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
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT event_id FROM event WHERE status = '" + EventGenerator.COMPLETED + "' AND occurred_at < ?")) {
            query.setTimestamp(1, new Timestamp(nowMs - maxAgeMs));
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
        }
        return ids;
    }
}
