package dev.ebb.runtime.sources;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.Snapshot;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.port.SourceDesk;
import dev.ebb.runtime.kafka.KafkaProblem;
import dev.ebb.runtime.plugins.PluginException;
import dev.ebb.serde.source.SourceFormats;
import dev.ebb.topology.source.AcceptedSource;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.source.SourceTargets.State;
import dev.ebb.topology.source.SourceTargets.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the sources in force, and tells the engine how their targets are. Without a source it has neither a thread nor a
 * client. Each second, on a thread of its own, it compares the sources in force with those that are read, and asks Kafka
 * for their topics and their lags. Thread-safe.
 */
public final class SourceRuntime implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SourceRuntime.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final long RETRY_NS = Duration.ofSeconds(30).toNanos();
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final AcceptedSources accepted;
    private final SourceParts parts;
    private final SourceCounts counted;
    private final SourceMarks marks;
    private final Supplier<PolicySet> policies;
    private final Map<String, Reading> readings = new HashMap<>();
    private volatile Map<String, SourceDesk.Reading> measured = Map.of();
    private @Nullable ScheduledExecutorService thread;
    private @Nullable Admin admin;
    private boolean isClosed;

    /**
     * @param counted is told of the records of all sources
     * @param policies the policies in force
     */
    public SourceRuntime(
            AcceptedSources accepted, SourceParts parts, SourceCounts counted, Supplier<PolicySet> policies) {
        this.accepted = accepted;
        this.parts = parts;
        this.counted = counted;
        this.marks = new SourceMarks(parts);
        this.policies = policies;
    }

    /** Begins to follow the sources in force. */
    public void start() {
        accepted.listen(this::changed);
    }

    /** Returns how the source is read, as it was measured last. */
    SourceDesk.Reading reading(Source source) {
        String name = source.name();
        SourceDesk.Reading.Counts counts = counted.of(name);
        SourceDesk.Reading reading = measured.get(name);
        return reading == null
                ? new SourceDesk.Reading(SourceDesk.Reading.State.UNKNOWN, null, null, null, counts, List.of())
                : new SourceDesk.Reading(
                        reading.state().declared(source.isPaused()),
                        reading.lag(),
                        reading.perSecond(),
                        reading.problem(),
                        counts,
                        reading.starts());
    }

    /** Returns the reason why a converter or a transformation of the source cannot be had here; null if all can. */
    @Nullable
    String problemOfFormats(Source source) {
        try (SourceFormats formats = parts.formats()) {
            var unused = formats.reader(source);
            return null;
        } catch (PluginException e) {
            return e.getMessage();
        }
    }

    /** Returns what sends marks of logs. */
    SourceMarks marks() {
        return marks;
    }

    private synchronized void changed(Map<String, AcceptedSource> sources) {
        if (thread == null && !sources.isEmpty() && !isClosed) {
            thread = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread daemon = new Thread(task, "ebb-sources");
                daemon.setDaemon(true);
                return daemon;
            });
            var unused =
                    thread.scheduleWithFixedDelay(this::lookSafely, 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** An exception would silently end the repetition. */
    private void lookSafely() {
        try {
            look();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("the sources are looked at again later");
        }
    }

    private void look() {
        Map<String, AcceptedSource> wanted = accepted.current();
        readings.entrySet().removeIf(reading -> {
            boolean isOver = !wanted.containsKey(reading.getKey());
            if (isOver) {
                reading.getValue().stop("it is not in force any more");
            }
            return isOver;
        });
        List<Target> targets = new ArrayList<>();
        Map<String, SourceDesk.Reading> seen = new HashMap<>();
        for (AcceptedSource one : wanted.values()) {
            Source source = one.source();
            Reading reading =
                    readings.computeIfAbsent(source.name(), name -> new Reading(parts, marks, truncation(), admin()));
            Target target = reading.look(one);
            if (source.target().hasTombstones()) {
                targets.add(target);
            }
            seen.put(source.name(), reading.seen());
        }
        measured = Snapshot.of(seen);
        accepted.update(wanted, targets);
    }

    private SourceTruncation truncation() {
        return new SourceTruncation(parts.config(), accepted.starts(), marks, policies, admin());
    }

    private Admin admin() {
        if (admin == null) {
            admin = parts.clients().admin();
        }
        return admin;
    }

    @Override
    public void close() throws InterruptedException {
        ScheduledExecutorService running;
        synchronized (this) {
            isClosed = true;
            running = thread;
        }
        if (running != null) {
            running.shutdownNow();
            if (!running.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.atWarn().log("the sources did not stop in time");
                return;
            }
            readings.values().forEach(reading -> reading.stop("the instance ends"));
            marks.close();
            if (admin != null) {
                admin.close(Duration.ofSeconds(1));
            }
        }
    }

    /** A source and its state; used by one thread. */
    private static final class Reading {

        private final SourceParts parts;
        private final SourceMarks marks;
        private final SourceTruncation truncation;
        private final Admin admin;
        private final EbbConfig config;
        private @Nullable SourceApplication application;
        private @Nullable SourceOffsets offsets;
        private EndWatch end;
        private ReadRate rate = new ReadRate();
        private boolean isPaused;
        private boolean isReadByOthers;
        private boolean isAtEnd;
        private String topicId = "";
        private @Nullable String lastProblem;
        private @Nullable AcceptedSource unusable;
        private long unusableSinceNs;

        Reading(SourceParts parts, SourceMarks marks, SourceTruncation truncation, Admin admin) {
            this.parts = parts;
            this.marks = marks;
            this.truncation = truncation;
            this.admin = admin;
            this.config = parts.config();
            this.end = newWatch();
        }

        private EndWatch newWatch() {
            return new EndWatch(
                    config.get(Settings.SOURCES_MAX_LAG_RECORDS), config.get(Settings.SOURCES_MAX_LAG_TIME));
        }

        /** Reads the source as it is now declared, if it can be read; returns the state of its target. */
        Target look(AcceptedSource accepted) {
            isPaused = accepted.source().isPaused();
            isReadByOthers = isPaused;
            isAtEnd = false;
            if (accepted.equals(unusable) && System.nanoTime() - unusableSinceNs < RETRY_NS) {
                return target(accepted.source(), topicId, State.BEHIND);
            }
            unusable = null;
            try {
                return lookAt(accepted, SourceTopic.of(config, admin, accepted.source()));
            } catch (KafkaException e) {
                say(accepted.source(), "Kafka was asked in vain: " + KafkaProblem.text(e));
                return target(accepted.source(), topicId, topicId.isEmpty() ? State.UNKNOWN : State.BEHIND);
            } catch (PluginException e) {
                // A class is missing on this instance. The other sources go on, and this one is tried again later.
                unusable = accepted;
                unusableSinceNs = System.nanoTime();
                say(accepted.source(), String.valueOf(e.getMessage()));
                return target(accepted.source(), topicId, State.BEHIND);
            }
        }

        private Target lookAt(AcceptedSource accepted, SourceTopic topic) {
            Source source = accepted.source();
            if (!topicId.isEmpty() && !topic.id().isEmpty() && !topicId.equals(topic.id())) {
                parts.observer().renewed(source.name(), source.topic());
            }
            if (topic.problem() != null) {
                isReadByOthers = false;
                stop(topic.problem());
                truncation.forget(source);
                say(source, topic.problem());
                return target(source, "", State.REFUSED);
            }
            topicId = topic.id();
            if (isPaused) {
                return pause(source, topic);
            }
            if (application == null || !application.reads(accepted, topic)) {
                stop("it has changed");
                truncation.forget(source);
                String grown = topic.problemOfPartitions(admin, source, SourceApplication.id(config, source, topic));
                if (grown != null) {
                    say(source, grown);
                    return target(source, topicId, State.BEHIND);
                }
                begin(accepted, topic);
            }
            String problem = topic.problemOfTarget();
            Map<TopicPartition, Long> read = measure();
            if (source.target().kind() == SourceTarget.Kind.TRUNCATE && problem == null) {
                truncation.look(source, topicId, read, Objects.requireNonNull(offsets));
            } else {
                truncation.forget(source);
            }
            String failure = application == null ? null : application.failure();
            say(source, problem != null ? problem : failure != null ? failure : truncation.problem());
            return target(source, topicId, problem != null ? State.REFUSED : isAtEnd ? State.READY : State.BEHIND);
        }

        /** A paused source counts as one that is not read to its end, since it is not. */
        private Target pause(Source source, SourceTopic topic) {
            stop("it is paused");
            truncation.forget(source);
            say(source, topic.problemOfTarget());
            SourceOffsets stopped = offsetsOf(source, topic);
            offsets = stopped;
            isReadByOthers = stopped.areRead();
            var unused = measure();
            isAtEnd = false;
            return target(source, topicId, topic.problemOfTarget() != null ? State.REFUSED : State.BEHIND);
        }

        private SourceOffsets offsetsOf(Source source, SourceTopic topic) {
            return SourceOffsets.of(admin, SourceApplication.id(config, source, topic), source, topic, marks);
        }

        private void begin(AcceptedSource accepted, SourceTopic topic) {
            Source source = accepted.source();
            SourceOffsets first = offsetsOf(source, topic);
            first.begin(source.from());
            offsets = first;
            end = newWatch();
            rate = new ReadRate();
            application = SourceApplication.start(parts, accepted, topic);
        }

        /** Returns the offsets up to which the source is read. */
        private Map<TopicPartition, Long> measure() {
            SourceOffsets measured = Objects.requireNonNull(offsets);
            Map<TopicPartition, Long> committed = measured.committed();
            long nowNs = System.nanoTime();
            rate.measure(committed.values(), nowNs);
            isAtEnd = end.isAtEnd(committed, measured.ends(), nowNs);
            return committed;
        }

        /** Returns how the source was read at the last look. */
        SourceDesk.Reading seen() {
            return new SourceDesk.Reading(
                    state(),
                    offsets == null || topicId.isEmpty() ? null : end.lag(),
                    isPaused ? null : rate.perSecond(),
                    lastProblem,
                    SourceDesk.Reading.Counts.NONE,
                    truncation.seen());
        }

        private SourceDesk.Reading.State state() {
            if (isPaused) {
                return isReadByOthers ? SourceDesk.Reading.State.PAUSING : SourceDesk.Reading.State.PAUSED;
            } else if (application == null) {
                return SourceDesk.Reading.State.STOPPED;
            }
            return isAtEnd ? SourceDesk.Reading.State.READING : SourceDesk.Reading.State.BEHIND;
        }

        private static Target target(Source source, String topicId, State state) {
            return new Target(source, Target.unknown(source).topic(), topicId, state);
        }

        /** Names a problem once. */
        private void say(Source source, @Nullable String problem) {
            if (problem != null && !problem.equals(lastProblem)) {
                LOG.atWarn()
                        .addKeyValue("source", source.name())
                        .addKeyValue("problem", problem)
                        .log("a source needs attention");
            }
            lastProblem = problem;
        }

        void stop(String why) {
            // What is not read has no lag that is known.
            offsets = null;
            if (application != null) {
                LOG.atInfo().addKeyValue("why", why).log("a source is no longer read");
                application.close();
                application = null;
            }
        }
    }
}
