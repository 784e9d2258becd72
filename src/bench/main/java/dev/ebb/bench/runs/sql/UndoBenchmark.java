package dev.ebb.bench.runs.sql;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.Commands;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.PacedLoad;
import dev.ebb.bench.stack.Policies;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * B-15u: an undo of all deletes of a policy: the time until the events are back in the stores, the time until they are
 * back in SQL, and the rate of ingest meanwhile.
 */
public final class UndoBenchmark {

    private static final int STREAMS = 1000;
    private static final int WHOLE_EVENTS = 200_000;

    /** Number of events of which a million go. */
    private static final int EVENTS = 1_070_000;

    private static final double MILLION = 1e6;

    /**
     * More than an instance takes in on two cores with SQL beside it. During the undo, only as much is sent as the
     * instance took in of this alone: more would be work for the sender and the broker, not for Ebb.
     */
    private static final int FLOOD_PER_SECOND = 60_000;

    private static final Duration SQL_LIMIT = Duration.ofMinutes(10);
    private static final long POLL_MS = 100;
    private static final String ROWS = "SELECT count(*) FROM event";

    /** A policy whose deletes can be undone for the default time. */
    private static final RetentionPolicy KEEP =
            Policies.KEEP.toBuilder().set(PolicyField.UNDO, null).build();

    private UndoBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.startWithSql(settings.folder(), progress)) {
            Lane lane = stack.lane("undo");
            Workload workload = settings.workload(
                            settings.events(settings.isWhole() ? WHOLE_EVENTS : EVENTS, EVENTS),
                            STREAMS,
                            lane.partitions())
                    .with(Mix.USUAL.withoutTtl());
            InputTopic input = InputTopic.fill(lane, workload);
            lane.renewTopics();
            try (SqlMirrorSetup mirror = SqlMirrorSetup.start(lane);
                    EbbApp app = EbbApp.start(lane, KEEP);
                    Connection connection = mirror.connect()) {
                return new Run(input, app, connection, settings, progress).figures();
            } catch (SQLException e) {
                throw new VoidRunException("the mirror cannot be read: " + e.getMessage(), e);
            }
        }
    }

    /** One undo on a running stack. */
    private record Run(
            InputTopic input, EbbApp app, Connection connection, BenchSettings settings, Consumer<String> progress) {

        List<Figure> figures() throws InterruptedException, SQLException {
            Contents all = input.expected();
            app.take(input.lastOffsets());
            awaitRows(ROWS, all.events());
            long sinceMs = System.currentTimeMillis();
            sweep(Model.due(input.workload()));
            // Rows that are still to be deleted would be in the way of those that come back.
            awaitGone(all.events());
            app.awaitNewPolicies(() -> new Policies(input.lane()).putInForce(KEEP));
            Duration alone = Duration.ofSeconds(settings.byLength(2, 10, 30));
            double rateAlone = ratePerSecond(FLOOD_PER_SECOND, () -> Thread.sleep(alone.toMillis()), settings.seed());
            progress.accept("taken in alone: " + Math.round(rateAlone) + " events/s");
            AtomicReference<Duration> store = new AtomicReference<>(Duration.ZERO);
            double rateBeside = ratePerSecond(
                    (int) rateAlone, () -> store.set(new Commands(input.lane()).undo(sinceMs)), settings.seed() + 1);
            String old = ROWS + " WHERE stored_at < to_timestamp(" + sinceMs + " / 1000.0)";
            Duration inStore = Objects.requireNonNull(store.get());
            Duration inSql = inStore.plus(awaitRows(old, all.events()));
            progress.accept("taken in beside the undo: " + Math.round(rateBeside) + " events/s");
            progress.accept("back after " + inStore + ", in SQL after " + inSql);
            long undone = Model.due(input.workload());
            String million = "undo of a million events, back in ";
            return List.of(
                    Figure.alone(
                            "B-15u", million + "the stores", "s", Target.valueAtMost(60, 30), seconds(inStore, undone)),
                    Figure.alone(
                            "B-15u-sql", million + "SQL", "s", Target.valueAtMost(120, 60), seconds(inSql, undone)),
                    Figure.alone(
                            "B-15u-intake",
                            "intake beside an undo, part of the intake alone",
                            "",
                            Target.valueAtLeast(0.5, 0.8),
                            List.of(rateBeside / rateAlone)));
        }

        /** Returns the time, scaled to a million events. */
        private static List<Double> seconds(Duration duration, long events) {
            return List.of(duration.toNanos() / 1e9 * MILLION / events);
        }

        private void awaitGone(long all) throws InterruptedException, SQLException {
            long left = Model.guarded(input.workload()).events();
            Awaiting.until(
                    () -> isThere(SqlMirrorSetup.count(connection, ROWS) <= left), SQL_LIMIT, "rows are not gone");
            progress.accept((all - left) + " events are gone");
        }

        /** Returns the answer, if the application is still at work. */
        private boolean isThere(boolean isMet) {
            app.check();
            return isMet;
        }

        private void sweep(long due) throws InterruptedException {
            Expirations deletions = app.expirations();
            deletions.expect(due);
            new Policies(input.lane()).putInForce(Policies.DROP_UNDOABLE);
            deletions.await(Expirations.LIMIT);
            app.awaitCommitted();
        }

        /** Returns the number of records taken in a second while other work runs. */
        private double ratePerSecond(int sentPerSecond, Meanwhile meanwhile, long seed) throws InterruptedException {
            try (PacedLoad load = new PacedLoad(input.lane(), sentPerSecond, (int) SQL_LIMIT.toSeconds(), seed)) {
                while (load.sent() == 0) {
                    Thread.sleep(POLL_MS);
                }
                long before = app.intake().count();
                long begin = System.nanoTime();
                meanwhile.go();
                return (app.intake().count() - before) * 1e9 / (System.nanoTime() - begin);
            }
        }

        private Duration awaitRows(String query, long expected) throws InterruptedException, SQLException {
            long begin = System.nanoTime();
            Awaiting.until(
                    () -> isThere(SqlMirrorSetup.count(connection, query) >= expected), SQL_LIMIT, "SQL lacks rows");
            return Duration.ofNanos(System.nanoTime() - begin);
        }
    }

    /** Work that runs while events are taken in. */
    private interface Meanwhile {

        void go() throws InterruptedException;
    }
}
