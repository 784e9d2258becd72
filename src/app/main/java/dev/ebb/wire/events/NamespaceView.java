package dev.ebb.wire.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.domain.retention.DueSums;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.DueForecast.Outlook;
import dev.ebb.port.ExpiredCounts.Expired;
import dev.ebb.port.StatusView;
import dev.ebb.wire.Meaning;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Contents of a namespace on all instances.
 *
 * @param protectedEvents number of events that are protected by their status or that of their execution
 * @param expiring events that the policies of the namespace warn of
 * @param exact false if an instance or a partition could not be counted, which makes the numbers lower bounds
 * @param ttl lifetimes of the events and the times at which they go; left out unless requested
 * @param unanswered instances whose part is missing; left out if there are none
 */
public record NamespaceView(
        String namespace,
        long streams,
        long events,
        long bytes,
        long protectedEvents,
        ExpiringView expiring,

        @Meaning("True if all instances and partitions were counted; else the figures are lower bounds.")
        boolean exact,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TtlView ttl,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<UnansweredView> unanswered) {

    /** Lists all namespaces. */
    public static final Read<Read.All, All> LIST = new Read<>(
            "/v1/namespaces",
            "Lists the namespaces with their contents, and the events that expire within warnBefore of their policies.",
            Read.All.class,
            All.class);

    /** Shows one namespace. */
    public static final Read<One, NamespaceView> SHOW = new Read<>(
            "/v1/namespaces/{namespace}",
            "Shows the contents of a namespace, and the events that expire within warnBefore of their policies.",
            One.class,
            NamespaceView.class);

    /** The name of a namespace, and whether to count the lifetimes of its events. */
    public record One(
            @Parameter(value = "The name of the namespace.", label = "NAMESPACE")
            String namespace,

            @Parameter(
                    value = "Also show how many events have an own TTL, have expired, and will expire.",
                    name = "ttl-stats",
                    option = "--show-ttl-stats")
            boolean withTtl) {}

    /**
     * Events that age and own TTLs take, or would take where a policy only warns, within {@code warnBefore} of the
     * policy of each stream. Overdue events are included; protected, held, guarded and infinite events are not.
     *
     * @param earliest the last millisecond of the first of these events; null if there are none
     */
    public record ExpiringView(
            long events, long bytes, @Nullable Instant earliest) {}

    /**
     * Events by their lifetime, without protected events. Due events still count in the first three fields until a
     * sweep has taken them.
     *
     * @param ownTtl events with an own TTL
     * @param withoutTtl events that go by the policy alone
     * @param infinite events that are kept for ever because their producer asked for it
     * @param expiredLastHour events that age and own TTLs took in the last hour, on any instance
     * @param expiredExact false if the audit could not be read to its end, which makes the number of expired events a
     *     lower bound
     * @param expiredCountedAt the end of that hour
     * @param dueNextHour events that will go within an hour, overdue events included
     * @param dueNextDay events that will go within a day, that hour included
     * @param exact false if an instance or a partition could not be counted, which makes the numbers of due events
     *     lower bounds
     * @param countedAt time at which due events were counted; the earliest such time of all instances
     */
    public record TtlView(
            long ownTtl,
            long withoutTtl,
            long infinite,

            @Meaning("Events that age or an own TTL deleted in the hour before expiredCountedAt, to the millisecond, on"
                    + " whichever instance; without deletes by commands or caps.")
            long expiredLastHour,

            @Meaning("True if the audit was read to its end; else the number is a lower bound.")
            boolean expiredExact,

            Instant expiredCountedAt,
            long dueNextHour,
            long bytesDueNextHour,
            long dueNextDay,
            long bytesDueNextDay,
            boolean exact,
            Instant countedAt) {

        private static TtlView of(StatusView.NamespaceView held, DueSums due, boolean isExact, Instant countedAt) {
            return new TtlView(
                    held.timedEvents(),
                    held.events() - held.protectedEvents() - held.timedEvents() - held.infiniteEvents(),
                    held.infiniteEvents(),
                    0,
                    true,
                    countedAt,
                    due.nextHour().events(),
                    due.nextHour().bytes(),
                    due.nextDay().events(),
                    due.nextDay().bytes(),
                    isExact,
                    countedAt);
        }

        private TtlView plus(TtlView other) {
            return new TtlView(
                    ownTtl + other.ownTtl,
                    withoutTtl + other.withoutTtl,
                    infinite + other.infinite,
                    expiredLastHour + other.expiredLastHour,
                    expiredExact && other.expiredExact,
                    expiredCountedAt,
                    dueNextHour + other.dueNextHour,
                    bytesDueNextHour + other.bytesDueNextHour,
                    dueNextDay + other.dueNextDay,
                    bytesDueNextDay + other.bytesDueNextDay,
                    exact && other.exact,
                    countedAt.isBefore(other.countedAt) ? countedAt : other.countedAt);
        }

        private TtlView completed(String namespace, Expired expired, boolean isComplete) {
            return new TtlView(
                    ownTtl,
                    withoutTtl,
                    infinite,
                    expired.of(namespace),
                    expired.isExact(),
                    Instant.ofEpochMilli(expired.countedAtMs()),
                    dueNextHour,
                    bytesDueNextHour,
                    dueNextDay,
                    bytesDueNextDay,
                    exact && isComplete,
                    countedAt);
        }
    }

    /**
     * All namespaces that hold streams.
     *
     * @param unanswered instances whose part is missing; empty if there are none
     */
    public record All(List<NamespaceView> namespaces, List<UnansweredView> unanswered) {}

    /**
     * Returns the contents of the namespace in these partitions; {@code expiredLastHour} is not counted yet.
     *
     * @param withTtl true to include {@link #ttl}
     */
    public static NamespaceView of(
            String name,
            StatusView.NamespaceView held,
            Outlook outlook,
            Collection<Integer> partitions,
            boolean withTtl) {
        DueSums due = outlook.within(partitions).of(name);
        boolean isExact = outlook.isExact(partitions);
        Tally expiring = due.expiring();
        return new NamespaceView(
                name,
                held.streams(),
                held.events(),
                held.bytes(),
                held.protectedEvents(),
                new ExpiringView(expiring.events(), expiring.bytes(), WireJson.time(due.earliestMs())),
                isExact,
                withTtl ? TtlView.of(held, due, isExact, Instant.ofEpochMilli(outlook.countedAtMs())) : null,
                List.of());
    }

    /** Returns this namespace with another part of it added, from the partitions of another instance. */
    public NamespaceView plus(NamespaceView other) {
        return new NamespaceView(
                namespace,
                streams + other.streams,
                events + other.events,
                bytes + other.bytes,
                protectedEvents + other.protectedEvents,
                new ExpiringView(
                        expiring.events + other.expiring.events,
                        expiring.bytes + other.expiring.bytes,
                        earlier(expiring.earliest, other.expiring.earliest)),
                exact && other.exact,
                ttl == null || other.ttl == null ? null : ttl.plus(other.ttl),
                List.of());
    }

    /** Returns this namespace, marked as a lower bound because the part of an instance is missing. */
    public NamespaceView atLeast() {
        return new NamespaceView(namespace, streams, events, bytes, protectedEvents, expiring, false, ttl, unanswered);
    }

    /**
     * Returns the whole namespace, with the events that have expired on any instance and the instances that did not
     * answer.
     */
    public NamespaceView completed(@Nullable Expired expired, List<UnansweredView> missing) {
        return new NamespaceView(
                namespace,
                streams,
                events,
                bytes,
                protectedEvents,
                expiring,
                exact && missing.isEmpty(),
                ttl == null || expired == null ? null : ttl.completed(namespace, expired, missing.isEmpty()),
                missing);
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }
}
