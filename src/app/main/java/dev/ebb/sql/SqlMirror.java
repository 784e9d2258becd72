package dev.ebb.sql;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SQL mirror as the application starts and stops it: creates the tables, maintains their partitions, and watches
 * the sinks that fill them. The mirror cannot stop the application: an absent database or Connect worker is shown, and
 * waited for in the background. Thread-safe.
 */
public final class SqlMirror implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(SqlMirror.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    private static final Duration LOOK_FOR_REFUSED_EVERY = Duration.ofSeconds(5);
    private static final Duration MEASURE_EVERY = Duration.ofSeconds(1);
    private static final Duration RETRY_TABLES_EVERY = Duration.ofSeconds(5);
    private static final Duration MAINTAIN_EVERY = Duration.ofHours(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(15);
    private static final int THREADS = 3;

    private final MirrorSettings settings;
    private final MirrorTables tables;
    private final RefusedRows refused;
    private final Migrations migrations;
    private final EventPartitions partitions;
    private final Optional<WatchedSinks> sinks;
    private final ScheduledExecutorService threads;
    private final LastProblem tablesProblem = new LastProblem("tables of the SQL mirror");
    private @Nullable MirrorPosition position;
    private final LookPace statusPace = new LookPace(System::nanoTime);
    private final LookPace lagPace = new LookPace(System::nanoTime);
    private final LookPace refusedPace = new LookPace(System::nanoTime);
    private volatile boolean hasTables;
    private volatile Instant nextMaintenance = Instant.MIN;

    private SqlMirror(MirrorSettings settings) {
        DataSource dataSource = settings.sql().dataSource();
        this.settings = settings;
        tables = new MirrorTables(dataSource);
        refused = new RefusedRows(dataSource);
        migrations = new Migrations(dataSource);
        partitions = new EventPartitions(dataSource, Clock.systemUTC());
        sinks = settings.connect().map(connect -> new WatchedSinks(settings, connect));
        threads = Executors.newScheduledThreadPool(THREADS, SqlMirror::newThread);
    }

    /**
     * Starts the mirror and returns at once.
     *
     * @throws SqlMirrorException if the files of the connectors cannot be used
     */
    public static SqlMirror start(MirrorSettings settings) {
        SqlMirror mirror = new SqlMirror(settings);
        mirror.repeat(RETRY_TABLES_EVERY, mirror.tablesProblem, mirror::keepTables);
        mirror.sinks.ifPresent(mirror::watch);
        mirror.repeat(LOOK_FOR_REFUSED_EVERY, new LastProblem("look at refused rows"), mirror::lookForRefused);
        return mirror;
    }

    /**
     * Returns the statuses of the sinks at the last look, at most 30 s ago; the next look follows soon. Empty if they are
     * not watched.
     */
    public List<ConnectorStatus> connectors() {
        statusPace.ask();
        return sinks.map(WatchedSinks::statuses).orElse(List.of());
    }

    /**
     * Returns the number of mirror records that were not in SQL at the last look, at most 30 s ago, by connector; the
     * next look follows soon. Connectors with an unknown number are left out.
     */
    public Map<String, Long> lags() {
        lagPace.ask();
        return sinks.flatMap(WatchedSinks::known)
                .map(watch -> watch.lag().lags())
                .orElse(Map.of());
    }

    /**
     * Returns the number of rows that the database has refused and that are set aside, by connector; connectors without
     * any are left out.
     */
    public Map<String, Long> refusedRows() {
        refusedPace.ask();
        return refused.counts();
    }

    /** Returns the reason of one of the refused rows; empty if there are none. */
    public String reasonOfRefusal() {
        return refused.reason();
    }

    /** Returns the rows that the database has refused. */
    public RefusedRows refused() {
        return refused;
    }

    /** Returns the tables that mirror the stores, for a comparison. */
    public MirrorTables tables() {
        return tables;
    }

    /** Returns the position of the sinks; makes it at the first call. */
    public synchronized MirrorPosition position() {
        MirrorPosition known = position;
        if (known == null) {
            known = SinkWatch.position(
                    settings, sinks.map(WatchedSinks::choice).orElseGet(() -> SinkChoice.named(settings.sink())));
            position = known;
        }
        return known;
    }

    /** Returns the reason why the tables cannot be created or maintained, in one line; empty if there is none. */
    public Optional<String> tablesProblem() {
        return tablesProblem.get();
    }

    /** Stops watching the sinks, which keep running in Connect. */
    @Override
    public void close() {
        threads.shutdownNow();
        closePosition();
        try {
            if (threads.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                sinks.ifPresent(WatchedSinks::close);
            } else {
                LOGGER.atWarn().log("the SQL mirror did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void closePosition() {
        if (position != null) {
            position.close();
        }
    }

    private void watch(WatchedSinks watched) {
        repeat(LOOK_EVERY, new LastProblem("watch over the sinks"), () -> {
            if (statusPace.isDue(watched.statuses().stream().allMatch(ConnectorStatus::isRunning))) {
                watched.watch().supervisor().look(hasTables);
            }
        });
        repeat(MEASURE_EVERY, new LastProblem("lag of the SQL mirror"), () -> {
            Optional<MirrorLag> lag = watched.known().map(SinkWatch::lag);
            if (lag.isPresent() && lagPace.isDue(!lag.get().lags().isEmpty())) {
                lag.get().measure();
            }
        });
    }

    private void lookForRefused() {
        if (hasTables && refusedPace.isDue(true)) {
            refused.look();
        }
    }

    private void keepTables() {
        Instant now = Instant.now();
        if (now.isBefore(nextMaintenance)) {
            return;
        }
        migrations.migrate();
        hasTables = true;
        partitions.maintain();
        nextMaintenance = now.plus(MAINTAIN_EVERY);
    }

    private void repeat(Duration every, LastProblem problem, Runnable work) {
        var unused =
                threads.scheduleWithFixedDelay(() -> guard(problem, work), 0, every.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Runs work that is shown and tried again if it fails: an exception would silently end the repetition. */
    private void guard(LastProblem problem, Runnable work) {
        try {
            work.run();
            problem.succeeded();
        } catch (RuntimeException e) {
            if (!threads.isShutdown()) {
                problem.failed(e);
            }
        }
    }

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "ebb-sql");
        thread.setDaemon(true);
        return thread;
    }
}
