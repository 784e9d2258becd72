package dev.ebb.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.DueForecast.Due;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a namespace holds on this instance.
 *
 * @param ttl what its events ask for and when they go; left out unless asked for
 */
record NamespaceView(
        String namespace,
        long streams,
        long events,
        long bytes,
        long protectedEvents,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TtlView ttl) {

    /**
     * Events by their lifetime; those that are protected are left out. What came due is still counted in the first three
     * until a sweep has taken it.
     *
     * @param ownTtl events with an own TTL
     * @param withoutTtl events that go by the policy alone
     * @param infinite events that are kept for ever at their producer's wish
     * @param expiredLastHour events that age and own TTLs took in the last hour
     * @param dueNextHour what will go within an hour, what is overdue included
     * @param dueNextDay what will go within a day, that hour included
     * @param exact false if there was too much to count: there is at least so much due
     * @param countedAt when what is due was counted
     */
    record TtlView(
            long ownTtl,
            long withoutTtl,
            long infinite,
            long expiredLastHour,
            long dueNextHour,
            long bytesDueNextHour,
            long dueNextDay,
            long bytesDueNextDay,
            boolean exact,
            @Nullable Instant countedAt) {}

    /** All namespaces that hold streams. */
    record All(List<NamespaceView> namespaces) {}

    static NamespaceView of(String name, StatusView.NamespaceView held) {
        return of(name, held, null);
    }

    static NamespaceView of(String name, StatusView.NamespaceView held, @Nullable Due due, long expired) {
        long untimed = held.events() - held.protectedEvents() - held.timedEvents() - held.infiniteEvents();
        return of(
                name,
                held,
                new TtlView(
                        held.timedEvents(),
                        untimed,
                        held.infiniteEvents(),
                        expired,
                        due == null ? 0 : due.nextHour().events(),
                        due == null ? 0 : due.nextHour().bytes(),
                        due == null ? 0 : due.nextDay().events(),
                        due == null ? 0 : due.nextDay().bytes(),
                        due == null || due.isExact(),
                        due == null ? null : ApiJson.time(due.countedAtMs())));
    }

    private static NamespaceView of(String name, StatusView.NamespaceView held, @Nullable TtlView ttl) {
        return new NamespaceView(name, held.streams(), held.events(), held.bytes(), held.protectedEvents(), ttl);
    }
}
