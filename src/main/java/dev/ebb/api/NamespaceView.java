package dev.ebb.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.DueForecast.Due;
import dev.ebb.api.DueForecast.Outlook;
import dev.ebb.api.ExpiredCounts.Expired;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a namespace holds on this instance, and what has expired of it on any.
 *
 * @param protectedEvents events that their status or that of their execution protects
 * @param expiring what its policies warn of
 * @param ttl what its events ask for and when they go; left out unless asked for
 */
record NamespaceView(
        String namespace,
        long streams,
        long events,
        long bytes,
        long protectedEvents,
        ExpiringView expiring,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TtlView ttl) {

    /**
     * What age and own TTLs take, or would take where a policy only warns, within {@code warnBefore} of the policy of each
     * stream, what is overdue included; never what is protected, held, guarded or kept for ever.
     *
     * @param earliest the last millisecond of the first of them; null if there is none
     */
    record ExpiringView(long events, long bytes, @Nullable Instant earliest) {}

    /**
     * Events by their lifetime; those that are protected are left out. What came due is still counted in the first three
     * until a sweep has taken it.
     *
     * @param ownTtl events with an own TTL
     * @param withoutTtl events that go by the policy alone
     * @param infinite events that are kept for ever at their producer's wish
     * @param expiredLastHour events that age and own TTLs took in the last hour, on whichever instance
     * @param expiredExact false if the audit could not be read to its end: there are at least so many expired
     * @param expiredCountedAt the end of that hour
     * @param dueNextHour what will go within an hour, what is overdue included
     * @param dueNextDay what will go within a day, that hour included
     * @param exact false if a partition of this instance could not be read: there is at least so much due
     * @param countedAt when what is due was counted
     */
    record TtlView(
            long ownTtl,
            long withoutTtl,
            long infinite,

            @Meaning("Events that age and own TTLs took in the hour before expiredCountedAt, to the millisecond, on"
                    + " whichever instance; not what persons or caps deleted.")
            long expiredLastHour,

            @Meaning("false if the audit could not be read to its end: there are at least so many expired.")
            boolean expiredExact,

            Instant expiredCountedAt,
            long dueNextHour,
            long bytesDueNextHour,
            long dueNextDay,
            long bytesDueNextDay,
            boolean exact,
            Instant countedAt) {}

    /** All namespaces that hold streams. */
    record All(List<NamespaceView> namespaces) {}

    static NamespaceView of(String name, StatusView.NamespaceView held, Outlook outlook) {
        return view(name, held, outlook, null);
    }

    static NamespaceView of(String name, StatusView.NamespaceView held, Outlook outlook, Expired expired) {
        long untimed = held.events() - held.protectedEvents() - held.timedEvents() - held.infiniteEvents();
        Due due = outlook.of(name);
        return view(
                name,
                held,
                outlook,
                new TtlView(
                        held.timedEvents(),
                        untimed,
                        held.infiniteEvents(),
                        expired.of(name),
                        expired.isExact(),
                        Instant.ofEpochMilli(expired.countedAtMs()),
                        due.nextHour().events(),
                        due.nextHour().bytes(),
                        due.nextDay().events(),
                        due.nextDay().bytes(),
                        outlook.isExact(),
                        Instant.ofEpochMilli(outlook.countedAtMs())));
    }

    private static NamespaceView view(
            String name, StatusView.NamespaceView held, Outlook outlook, @Nullable TtlView ttl) {
        var expiring = outlook.of(name).expiring();
        return new NamespaceView(
                name,
                held.streams(),
                held.events(),
                held.bytes(),
                held.protectedEvents(),
                new ExpiringView(expiring.sum().events(), expiring.sum().bytes(), ApiJson.time(expiring.earliestMs())),
                ttl);
    }
}
