package dev.ebb.topology;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.Mirroring;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Draws of a random play: records, policies and names, few enough of each that they meet. */
final class RetentionPlayDraw {

    static final List<String> STREAMS = List.of("orders/1", "orders/2", "jobs", "audit/é", "cache/x/y");
    static final long[] AGES = {1, 1000, 5000, 60_000, 3_600_000};

    private static final String[] STATUSES = {null, "", "completed", "FAILED", "read", "pending", "Running", "archived"
    };
    private static final String[] DONE = {"completed", "Failed", "cancelled", "archived"};
    private static final String[] WINDOWS = {
        "22:00-06:00 UTC", "00:00-12:00 UTC", "01:00-02:30 Europe/Berlin", "23:30-00:30 America/New_York", "none"
    };
    private static final long[] INTERVALS = {1000, 5000, 60_000, 600_000};
    private static final long HOUR = 3_600_000;

    private static final List<StreamName> STREAMS_WITH_EXECUTIONS = List.of(
            new StreamName("orders/2"), new StreamName("orders/2"), new StreamName("audit/é"), new StreamName("jobs"));

    private final RetentionPlayCase.Kind kind;
    private Random random = new Random(0);

    RetentionPlayDraw(RetentionPlayCase.Kind kind) {
        this.kind = kind;
    }

    /** From here on another sequence: each step has one of its own, so that others can be left out. */
    void next(long seed) {
        random = new Random(seed);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int cases) {
        return random.nextInt(cases) == 0;
    }

    StreamName stream() {
        return new StreamName(STREAMS.get(below(STREAMS.size())));
    }

    EventId id() {
        return new EventId("e" + below(12));
    }

    /** Half of all streams have no executions, so that those rules meet as well. */
    long execution(StreamName stream) {
        boolean hasExecutions = STREAMS.indexOf(stream.value()) % 2 == 1;
        return hasExecutions ? below(4) : 0;
    }

    Event event(StreamName stream, long now) {
        boolean isTooEarly = oneIn(100);
        return new Event(
                stream,
                id(),
                "t",
                random.nextBoolean() ? null : STATUSES[below(STATUSES.length)],
                oneIn(3) ? null : now - below(100_000),
                isTooEarly ? Long.valueOf(now + HOUR + 1) : oneIn(4) ? now - below(100_000) : null,
                oneIn(3) ? ttl(now) : OwnTtl.NONE,
                execution(stream),
                random.nextBoolean() ? null : "corr",
                oneIn(4) ? Map.of("a", "b") : Map.of(),
                null,
                new byte[below(50)]);
    }

    static boolean isUsable(Event event, long now) {
        return event.completedAt() == null || event.completedAt() <= now + HOUR;
    }

    EventUpdate update(long now) {
        return new EventUpdate(
                stream(),
                id(),
                random.nextBoolean() ? STATUSES[1 + below(STATUSES.length - 1)] : null,
                oneIn(4) ? now - below(100_000) : null,
                oneIn(4) ? ttl(now) : null,
                oneIn(4) ? Map.of("k", "v".repeat(below(5))) : null);
    }

    ExecutionUpdate executionUpdate(long now) {
        StreamName stream = STREAMS_WITH_EXECUTIONS.get(below(STREAMS_WITH_EXECUTIONS.size()));
        String status = oneIn(4) ? null : oneIn(3) ? "running" : DONE[below(DONE.length)];
        return new ExecutionUpdate(
                stream,
                oneIn(8) ? 0 : 1 + below(3),
                status,
                oneIn(3) ? stream() : null,
                oneIn(3) ? now - below(100_000) : null,
                oneIn(3) ? now - below(100_000) : null);
    }

    /** What comes of an execution of a deleted stream: from a worker that goes on, from a new one, or from an import. */
    ExecutionUpdate afterDelete(StreamName stream, long deletedMs, long now) {
        String status = oneIn(4) ? oneIn(3) ? null : "running" : DONE[below(DONE.length)];
        return new ExecutionUpdate(
                stream,
                oneIn(8) ? 0 : 1 + below(3),
                status,
                oneIn(3) ? stream() : null,
                oneIn(2) ? null : Long.valueOf(deletedMs + below(3) - 2),
                oneIn(3) ? now - below(100_000) : null);
    }

    OwnTtl ttl(long now) {
        return switch (below(4)) {
            case 0 -> OwnTtl.INFINITE;
            case 1 -> OwnTtl.of(null, now + below(20_000) - 10_000, false);
            case 2 -> OwnTtl.NONE;
            default -> OwnTtl.of(1L + below(100), null, false);
        };
    }

    Scope scope() {
        return switch (below(4)) {
            case 0 -> Scope.ALL;
            case 1 -> Scope.stream(stream().value());
            case 2 -> Scope.pattern(random.nextBoolean() ? "cache" : "mine");
            default -> Scope.namespace(stream().namespace());
        };
    }

    /** A scope that a hold may cover or a sweep may name. */
    Scope plainScope() {
        return switch (below(4)) {
            case 0 -> Scope.ALL;
            case 1, 2 -> Scope.stream(stream().value());
            default -> Scope.namespace(stream().namespace());
        };
    }

    RetentionPolicy policy(Scope scope) {
        // Of two policies the one often asks for more than the other allows: then the upper bound wins.
        Limit minTtl = oneIn(3) ? Limit.of(1L + below(80_000)) : null;
        Limit maxTtl = oneIn(3) ? Limit.of((minTtl == null ? 1 : minTtl.value()) + below(20_000)) : null;
        boolean hasRhythm = kind == RetentionPlayCase.Kind.RHYTHM;
        return RetentionPolicy.of(scope)
                .maxAge(maybe(AGES[below(AGES.length)]))
                .maxCount(maybe(1 + below(6)))
                .set(PolicyField.MAX_BYTES, maybe(100 + below(800)))
                .set(PolicyField.KEEP_LAST, oneIn(4) ? limit(1 + below(3)) : null)
                .set(PolicyField.MIN_AGE, oneIn(6) ? limit(AGES[below(3)]) : null)
                .anchor(oneIn(3) ? Anchor.values()[below(3)] : null)
                .set(PolicyField.MIN_TTL, minTtl)
                .set(PolicyField.MAX_TTL, maxTtl)
                .set(PolicyField.ALLOW_INFINITE_TTL, oneIn(3) ? random.nextBoolean() : null)
                .mode(oneIn(6) ? oneIn(2) ? PolicyMode.WARN : PolicyMode.ENFORCE : null)
                .set(PolicyField.ARCHIVE, oneIn(3) ? random.nextBoolean() : null)
                .set(PolicyField.MIRROR, oneIn(4) ? random.nextBoolean() ? Mirroring.NONE : Mirroring.ALL : null)
                .intervalMs(hasRhythm && oneIn(3) ? Long.valueOf(INTERVALS[below(INTERVALS.length)]) : null)
                .set(
                        PolicyField.WINDOW,
                        hasRhythm && oneIn(3) ? SweepWindow.parse(WINDOWS[below(WINDOWS.length)]) : null)
                .set(
                        PolicyField.PATTERN,
                        scope.kind() == Scope.Kind.NAMESPACE && random.nextBoolean() ? pattern() : null)
                .enabled(oneIn(8) ? random.nextBoolean() : null)
                .confirmed(oneIn(5) ? true : null)
                .build();
    }

    private String pattern() {
        return oneIn(3) ? "cache" : "mine";
    }

    private Limit maybe(long value) {
        int dice = below(10);
        return dice < 5 ? null : dice == 5 ? Limit.NONE : Limit.of(value);
    }

    private Limit limit(long value) {
        return oneIn(5) ? Limit.NONE : Limit.of(value);
    }
}
