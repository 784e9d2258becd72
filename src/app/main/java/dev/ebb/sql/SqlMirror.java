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
 * The SQL mirror as the application starts and stops it: makes the tables, keeps their partitions, and looks after the
 * sinks that fill them. The mirror cannot stop the application: a database or a Connect worker that is away is waited
 * for in the background and shown. Thread-safe.
 */
public final class SqlMirror implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(SqlMirror.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    private static final Duration MEASURE_EVERY = Duration.ofSeconds(1);
    private static final Duration RETRY_TABLES_EVERY = Duration.ofSeconds(5);
    private static final Duration MAINTAIN_EVERY = Duration.ofHours(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(15);
    private static final int THREADS = 3;

    private final MirrorSettings settings;
    private final MirrorTables tables;
    private final Migrations migrations;
    private final EventPartitions partitions;
    private final Optional<SinkWatch> sinks;
    private final ScheduledExecutorService threads;
    private final LastProblem tablesProblem = new LastProblem("tables of the SQL mirror");
    private @Nullable MirrorPosition position;
    private volatile boolean hasTables;
    private volatile Instant nextMaintenance = Instant.MIN;

    private SqlMirror(MirrorSettings settings) {
        DataSource dataSource = settings.sql().dataSource();
        this.settings = settings;
        tables = new MirrorTables(dataSource);
        migrations = new Migrations(dataSource);
        partitions = new EventPartitions(dataSource, Clock.systemUTC());
        sinks = settings.connectUrl().map(url -> SinkWatch.of(settings, url));
        threads = Executors.newScheduledThreadPool(THREADS, SqlMirror::newThread);
    }

    /**
     * Starts the mirror and returns at once.
     *
     * @throws SqlMirrorException if the files of the connectors are no good
     */
    public static SqlMirror start(MirrorSettings settings) {
        SqlMirror mirror = new SqlMirror(settings);
        mirror.repeat(RETRY_TABLES_EVERY, mirror.tablesProblem, mirror::keepTables);
        mirror.sinks.ifPresent(mirror::watch);
        return mirror;
    }

    /** Statuses of the sinks; empty if they are not watched. */
    public List<ConnectorStatus> connectors() {
        return sinks.map(watch -> watch.supervisor().statuses()).orElse(List.of());
    }

    /** Mirror records that are not in SQL yet, by connector; connectors without a known number are left out. */
    public Map<String, Long> lags() {
        return sinks.map(watch -> watch.lag().lags()).orElse(Map.of());
    }

    /** The tables that mirror the stores, to be compared with them. */
    public MirrorTables tables() {
        return tables;
    }

    /** Position of the sinks; made when it is first asked for. */
    public synchronized MirrorPosition position() {
        MirrorPosition known = position;
        if (known == null) {
            known = SinkWatch.position(settings);
            position = known;
        }
        return known;
    }

    /** Reason why the tables cannot be made or kept, in one line; empty if nothing is wrong. */
    public Optional<String> tablesProblem() {
        return tablesProblem.get();
    }

    /** Stops looking after the sinks; they themselves run on in Connect. */
    @Override
    public void close() {
        threads.shutdownNow();
        closePosition();
        try {
            if (threads.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                sinks.ifPresent(watch -> watch.lag().close());
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

    private void watch(SinkWatch watch) {
        repeat(LOOK_EVERY, new LastProblem("watch over the sinks"), () -> watch.supervisor()
                .look(hasTables));
        repeat(MEASURE_EVERY, new LastProblem("lag of the SQL mirror"), watch.lag()::measure);
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

    /** Failed work is shown and tried again: an exception would end the repetition without a word. */
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
