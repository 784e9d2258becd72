package dev.ebb.bench.runs.sql;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.PacedLoad;
import dev.ebb.bench.stack.Policies;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Events at a steady rate, each deleted after five seconds: the delay of SQL meanwhile, and in the end. */
final class PaceTrial {

    private static final Duration MAX_AGE = Duration.ofSeconds(5);

    static final RetentionPolicy SHORT_LIVED = Policies.settled(RetentionPolicy.of(Scope.ALL)
            .anchor(Anchor.OCCURRED)
            .maxAge(Limit.of(MAX_AGE.toMillis()))
            .build());

    /** Seconds by which the load may be late. A load that did not keep its rate counts as an infinite delay of SQL. */
    private static final double MOST_LATE_LOAD = 1;

    private static final long POLL_MS = 250;

    /** Time within which rows on their way are written. */
    private static final Duration EMPTY_FOR = Duration.ofSeconds(2);

    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(10);
    private static final String OLDEST =
            "SELECT coalesce(extract(epoch FROM min(stored_at)) * 1000, 0)::bigint FROM event";

    private final Lane lane;
    private final EbbApp app;
    private final Connection connection;

    PaceTrial(Lane lane, EbbApp app, Connection connection) {
        this.lane = lane;
        this.app = app;
        this.connection = connection;
    }

    /**
     * Result of a rate.
     *
     * @param perSecond events a second
     * @param behind the greatest delay of SQL at that rate, in seconds; infinite if the load did not keep the rate
     * @param isGrowing true if the delay kept growing
     */
    record Pace(int perSecond, double behind, boolean isGrowing) {

        static final Pace NONE = new Pace(0, 0, false);
    }

    /** Sends events and waits until all of them are gone again; stops sending when SQL is too far behind. */
    Pace run(int perSecond, int seconds, double mostBehind, long seed) throws InterruptedException, SQLException {
        Behind behind = new Behind(Duration.ofSeconds(seconds));
        app.expirations().expect(Long.MAX_VALUE);
        long firstDue = System.nanoTime() + MAX_AGE.toNanos();
        try (PacedLoad load = new PacedLoad(lane, perSecond, seconds, seed + perSecond)) {
            while (load.isSending() && behind.most() <= mostBehind) {
                behind.seen(since(firstDue), behind());
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            load.close();
            behind.seen(Duration.ofSeconds(seconds), drain(load.sent(), behind, firstDue));
            app.awaitCommitted();
            app.requireContents(Contents.NONE);
            boolean isLate = load.mostLateSeconds() > MOST_LATE_LOAD;
            return new Pace(perSecond, isLate ? Double.POSITIVE_INFINITY : behind.most(), behind.isGrowing());
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** Returns the seconds by which the last rows went too late, which covers rows that wait before SQL. */
    private double drain(long sent, Behind behind, long firstDue) throws InterruptedException, SQLException {
        long begin = System.nanoTime();
        long emptyNanos = begin;
        while (System.nanoTime() - emptyNanos < EMPTY_FOR.toNanos()) {
            if (app.expirations().count() < sent
                    || SqlMirrorSetup.count(connection, "SELECT count(*) FROM event") > 0) {
                emptyNanos = System.nanoTime();
            }
            behind.seen(since(firstDue), behind());
            app.check();
            if (System.nanoTime() - begin > DRAIN_LIMIT.toNanos()) {
                throw new VoidRunException("the rows were not gone within " + DRAIN_LIMIT.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return (emptyNanos - begin - MAX_AGE.toNanos()) / 1e9;
    }

    /**
     * Returns the seconds for which the oldest row has been due: rows come and go in the same order, so no row waits
     * longer.
     */
    private double behind() throws SQLException {
        long oldest = SqlMirrorSetup.count(connection, OLDEST);
        return oldest == 0 ? 0 : Math.max(0, System.currentTimeMillis() - oldest - MAX_AGE.toMillis()) / 1e3;
    }
}
