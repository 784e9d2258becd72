package dev.ebb.simulation;

import static dev.ebb.simulation.Mix.Ingredient.ANCHORS;
import static dev.ebb.simulation.Mix.Ingredient.ARCHIVE;
import static dev.ebb.simulation.Mix.Ingredient.CAPS;
import static dev.ebb.simulation.Mix.Ingredient.DELETE;
import static dev.ebb.simulation.Mix.Ingredient.DRY_RUN;
import static dev.ebb.simulation.Mix.Ingredient.EVENT_DELETE;
import static dev.ebb.simulation.Mix.Ingredient.EXECUTIONS;
import static dev.ebb.simulation.Mix.Ingredient.HAND_SWEEP;
import static dev.ebb.simulation.Mix.Ingredient.INFINITE;
import static dev.ebb.simulation.Mix.Ingredient.INTERVALS;
import static dev.ebb.simulation.Mix.Ingredient.KEEP_LAST;
import static dev.ebb.simulation.Mix.Ingredient.MIN_AGE;
import static dev.ebb.simulation.Mix.Ingredient.MIRROR;
import static dev.ebb.simulation.Mix.Ingredient.OWN_TTL;
import static dev.ebb.simulation.Mix.Ingredient.PRUNE;
import static dev.ebb.simulation.Mix.Ingredient.PURGE;
import static dev.ebb.simulation.Mix.Ingredient.SET_TTL;
import static dev.ebb.simulation.Mix.Ingredient.WARN;
import static dev.ebb.simulation.Mix.Ingredient.WINDOWS;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.StreamFilter;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records that producers, operators and people with commands send in a walk. */
final class Inputs {

    /** Of every event. */
    static final String CORRELATION = "c";

    private static final long HOUR = 3_600_000;
    private static final long[] AGES = {1, 1000, 5000, 20_000, 60_000, HOUR};
    private static final long[] INTERVALS_MS = {1000, 5000, 20_000};
    private static final List<String> WINDOWS_UTC =
            List.of("22:00-06:00 UTC", "00:00-00:05 UTC", "00:01-12:00 UTC", "01:00-02:30 Europe/Berlin", "none");
    private static final String[] STATUSES = {null, "", "completed", "FAILED", "read", "pending", "Running"};
    private static final String[] DONE = {"completed", "Failed", "cancelled"};
    private static final List<EventId> IDS = java.util.stream.IntStream.range(0, 8)
            .mapToObj(i -> new EventId("e" + i))
            .toList();

    private final Draw draw;
    private final Mix mix;

    Inputs(Draw draw, Mix mix) {
        this.draw = draw;
        this.mix = mix;
    }

    private boolean has(Mix.Ingredient ingredient, int cases) {
        return draw.oneIn(cases) && mix.has(ingredient);
    }

    /** Returns true if times and execution of what was sent are such that it is taken in (O-20). */
    static boolean isUsable(Object said, long timestampMs, long nowMs) {
        if (said instanceof Event event) {
            return isUsable(event.occurredAt(), timestampMs, nowMs)
                    && isUsable(event.completedAt(), timestampMs, nowMs);
        }
        if (said instanceof EventUpdate update) {
            return isUsable(update.completedAt(), timestampMs, nowMs);
        }
        ExecutionUpdate update = (ExecutionUpdate) said;
        return isUsable(update.startedAt(), 0, nowMs) && isUsable(update.completedAt(), timestampMs, nowMs);
    }

    private static boolean isUsable(@Nullable Long timeMs, long otherwiseMs, long nowMs) {
        long time = timeMs == null ? otherwiseMs : timeMs;
        return time >= 0 && time <= nowMs + HOUR;
    }

    EventId id() {
        return draw.of(IDS);
    }

    private long execution(StreamName stream) {
        return mix.has(EXECUTIONS) && Draw.hasExecutions(stream) ? draw.below(4) : 0;
    }

    Event event(long nowMs) {
        return event(draw.stream(), nowMs);
    }

    Event event(StreamName stream, long nowMs) {
        boolean isTooEarly = draw.oneIn(100);
        return new Event(
                stream,
                id(),
                "t",
                draw.either() ? null : STATUSES[draw.below(STATUSES.length)],
                draw.oneIn(3) ? nowMs - draw.below(100_000) : null,
                isTooEarly ? Long.valueOf(nowMs + 2000 * HOUR) : draw.oneIn(4) ? nowMs - draw.below(100_000) : null,
                draw.oneIn(3) ? ttl(nowMs) : OwnTtl.NONE,
                execution(stream),
                CORRELATION,
                draw.oneIn(6) ? Map.of("a", "b") : Map.of(),
                null,
                new byte[draw.below(50)]);
    }

    EventUpdate update(long nowMs) {
        return update(draw.stream(), nowMs);
    }

    EventUpdate update(StreamName stream, long nowMs) {
        return new EventUpdate(
                stream,
                id(),
                draw.either() ? STATUSES[1 + draw.below(STATUSES.length - 1)] : null,
                draw.oneIn(4) ? nowMs - draw.below(100_000) : null,
                draw.oneIn(4) ? ttl(nowMs) : null,
                draw.oneIn(6) ? Map.of("k", "v".repeat(draw.below(5))) : null);
    }

    @Nullable
    ExecutionUpdate execution(long nowMs) {
        if (!mix.has(EXECUTIONS)) {
            return null;
        }
        StreamName stream = draw.stream();
        if (!Draw.hasExecutions(stream) && !draw.oneIn(8)) {
            stream = new StreamName(Draw.STREAMS.get(1));
        }
        return execution(stream, nowMs);
    }

    ExecutionUpdate execution(StreamName stream, long nowMs) {
        String status = draw.oneIn(4) ? null : draw.oneIn(3) ? "running" : DONE[draw.below(DONE.length)];
        return new ExecutionUpdate(
                stream,
                draw.oneIn(8) ? 0 : 1 + draw.below(3),
                status,
                draw.oneIn(3) ? draw.stream() : null,
                draw.oneIn(3) ? nowMs - draw.below(100_000) : null,
                draw.oneIn(3) ? nowMs - draw.below(100_000) : null);
    }

    private OwnTtl ttl(long nowMs) {
        int dice = draw.below(5);
        if (dice == 0) {
            return mix.has(INFINITE) ? OwnTtl.INFINITE : OwnTtl.NONE;
        }
        if (dice == 1 || !mix.has(OWN_TTL)) {
            return OwnTtl.NONE;
        }
        return draw.either()
                ? OwnTtl.of(null, nowMs + draw.below(40_000) - 10_000, false)
                : OwnTtl.of(1L + draw.below(100), null, false);
    }

    Scope scope() {
        return switch (draw.below(5)) {
            case 0 -> Scope.ALL;
            case 1, 2 -> Scope.stream(draw.stream().value());
            case 3 -> Scope.pattern(draw.either() ? "cache" : "mine");
            default -> Scope.namespace(draw.stream().namespace());
        };
    }

    /** A scope that a hold may cover or a sweep may name. */
    Scope plainScope() {
        return switch (draw.below(4)) {
            case 0 -> draw.either() ? Scope.ALL : Scope.stream(draw.stream().value());
            case 1, 2 -> Scope.stream(draw.stream().value());
            default -> Scope.namespace(draw.stream().namespace());
        };
    }

    RetentionPolicy policy(Scope scope) {
        Limit minTtl = has(OWN_TTL, 4) ? Limit.of(1L + draw.below(80_000)) : null;
        Limit maxTtl = has(OWN_TTL, 4) ? Limit.of((minTtl == null ? 1 : minTtl.value()) + draw.below(20_000)) : null;
        return RetentionPolicy.of(scope)
                .maxAge(maybe(AGES[draw.below(AGES.length)]))
                .maxCount(mix.has(CAPS) ? maybe(1 + draw.below(5)) : null)
                .set(PolicyField.MAX_BYTES, mix.has(CAPS) && draw.either() ? maybe(100 + draw.below(800)) : null)
                .set(PolicyField.KEEP_LAST, has(KEEP_LAST, 3) ? limit(1 + draw.below(3)) : null)
                .set(PolicyField.MIN_AGE, has(MIN_AGE, 6) ? limit(AGES[draw.below(3)]) : null)
                .anchor(has(ANCHORS, 2) ? Anchor.values()[draw.below(3)] : null)
                .set(PolicyField.MIN_TTL, minTtl)
                .set(PolicyField.MAX_TTL, maxTtl)
                .set(PolicyField.ALLOW_INFINITE_TTL, has(INFINITE, 3) ? draw.either() : null)
                .mode(has(WARN, 5) ? draw.either() ? PolicyMode.WARN : PolicyMode.ENFORCE : null)
                .set(PolicyField.ARCHIVE, has(ARCHIVE, 3) ? draw.either() : null)
                .set(PolicyField.MIRROR, has(MIRROR, 3) ? draw.either() ? Mirroring.NONE : Mirroring.ALL : null)
                .intervalMs(has(INTERVALS, 4) ? Long.valueOf(INTERVALS_MS[draw.below(INTERVALS_MS.length)]) : null)
                .set(PolicyField.WINDOW, has(WINDOWS, 20) ? SweepWindow.parse(draw.of(WINDOWS_UTC)) : null)
                .set(PolicyField.PATTERN, scope.kind() == Scope.Kind.NAMESPACE && draw.oneIn(3) ? pattern() : null)
                .enabled(draw.oneIn(8) ? draw.either() : null)
                .confirmed(draw.oneIn(3) ? true : null)
                .build();
    }

    private String pattern() {
        // That one is built in, and has an anchor of its own.
        return draw.oneIn(3) && mix.has(ANCHORS) ? "cache" : "mine";
    }

    private @Nullable Limit maybe(long value) {
        int dice = draw.below(10);
        return dice < 5 ? null : dice == 5 ? Limit.NONE : Limit.of(value);
    }

    private Limit limit(long value) {
        return draw.oneIn(5) ? Limit.NONE : Limit.of(value);
    }

    /** Any record that a producer may send about that stream. */
    Object any(StreamName stream, long nowMs) {
        int dice = draw.below(4);
        if (dice == 0) {
            return update(stream, nowMs);
        }
        return dice == 1 || !mix.has(EXECUTIONS) ? event(stream, nowMs) : execution(stream, nowMs);
    }

    /**
     * Whatever a worker of a deleted stream, a new one, or an import may send about an execution after the delete, in any
     * order: its start, its end, and events of it.
     */
    List<Object> again(StreamName stream, long deletedMs, long nowMs) {
        long execution = draw.oneIn(8) ? 0 : 1 + draw.below(3);
        List<Object> records = new ArrayList<>();
        do {
            int dice = draw.below(6);
            if (dice < 2) {
                Event event = event(stream, nowMs);
                records.add(new Event(
                        stream,
                        event.id(),
                        event.type(),
                        null,
                        event.occurredAt(),
                        null,
                        event.ttl(),
                        execution,
                        event.correlationId(),
                        event.metadata(),
                        event.contentType(),
                        event.payload()));
            } else {
                Long startedAt = draw.either() ? null : Long.valueOf(deletedMs + draw.below(3) - 2);
                String status = dice == 2 ? draw.either() ? null : "running" : DONE[draw.below(DONE.length)];
                StreamName parent = draw.oneIn(4) ? draw.stream() : null;
                Long completedAt = draw.either() ? null : Long.valueOf(nowMs - draw.below(1000));
                records.add(new ExecutionUpdate(stream, execution, status, parent, startedAt, completedAt));
            }
        } while (draw.oneIn(3) || draw.either());
        return records;
    }

    /** A command with a new id; null if the mix has none of the kind that was drawn. */
    @Nullable
    CommandRequest command(long nowMs) {
        boolean isDryRun = has(DRY_RUN, 5);
        Command command = drawCommand(nowMs);
        if (command == null) {
            return null;
        }
        boolean isSweep = command instanceof Command.SweepNow;
        Long most = !isSweep && !isDryRun && draw.oneIn(10) ? Long.valueOf(draw.below(4)) : null;
        return new CommandRequest(
                "c" + Integer.toHexString(draw.below(1 << 30)), "anna", "clean-up", isDryRun, most, command);
    }

    private @Nullable Command drawCommand(long nowMs) {
        StreamName stream = draw.oneIn(12) ? new StreamName("missing/1") : draw.stream();
        return switch (draw.below(12)) {
            case 0, 1 -> mix.has(DELETE) ? new Command.DeleteStream(stream, draw.oneIn(3)) : null;
            case 2 -> mix.has(PURGE) ? new Command.PurgeStreams(filter(nowMs)) : null;
            case 3, 4, 5 -> mix.has(PRUNE) ? new Command.PruneStream(stream, condition(nowMs)) : null;
            case 6 -> mix.has(PRUNE) ? new Command.PruneStreams(filter(nowMs), condition(nowMs), draw.either()) : null;
            case 7 -> mix.has(EVENT_DELETE) ? new Command.DeleteEvent(stream, id(), draw.oneIn(3)) : null;
            case 8 -> mix.has(SET_TTL) ? ttl(stream, nowMs) : null;
            default ->
                mix.has(HAND_SWEEP) ? new Command.SweepNow(draw.either() ? Scope.ALL : plainScope(), null) : null;
        };
    }

    private Command ttl(StreamName stream, long nowMs) {
        if (draw.either()) {
            return new Command.SetTtl(stream, id(), OwnTtl.NONE, 1L + draw.below(100_000));
        }
        OwnTtl wish = ttl(nowMs);
        return new Command.SetTtl(stream, id(), wish.ttlSeconds() == null ? wish : OwnTtl.NONE, null);
    }

    private PruneCondition condition(long nowMs) {
        Long keepLast = draw.oneIn(3) ? null : Long.valueOf(draw.below(4));
        return new PruneCondition(keepLast, draw.oneIn(4) ? Long.valueOf(nowMs - draw.below(100_000)) : null);
    }

    private StreamFilter filter(long nowMs) {
        List<StreamName> names = new ArrayList<>();
        while (names.size() < 4 && draw.either()) {
            names.add(draw.stream());
        }
        return new StreamFilter(
                draw.oneIn(4) ? names : null,
                draw.oneIn(4) ? Long.valueOf(nowMs - draw.below(100_000)) : null,
                draw.oneIn(4) ? draw.stream().namespace() : null,
                draw.either() ? 1 + draw.below(3) : 1000,
                draw.oneIn(3) || draw.either());
    }
}
