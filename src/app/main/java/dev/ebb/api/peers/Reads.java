package dev.ebb.api.peers;

import dev.ebb.api.http.ProblemException;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.EventQueries;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.Placement;
import dev.ebb.port.Replicas;
import dev.ebb.wire.StaleView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads streams and events for a request, from the partitions that this instance keeps, or from its copies.
 * Thread-safe.
 */
public final class Reads {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final EventQueries events;
    private final Replicas replicas;
    private final Placement placement;
    private final Supplier<OptionalLong> waiting;

    public Reads(EventQueries events, PeerPorts peers) {
        this.events = events;
        this.replicas = peers.replicas();
        this.placement = peers.placement();
        this.waiting = peers.waiting();
    }

    /** Returns the queries that answer the request. */
    public EventQueries of(Context ctx) {
        return of(PeerAccess.isOfCopy(ctx));
    }

    /** @param isOfCopy true if copies may answer */
    public EventQueries of(boolean isOfCopy) {
        return isOfCopy ? replicas.events() : events;
    }

    /** Returns the copy that answers for the stream; empty if none does. */
    public List<StaleView> stale(Context ctx, StreamName stream) {
        return stale(PeerAccess.isOfCopy(ctx), List.of(placement.partitionOf(stream)));
    }

    /** Returns the copies of these partitions that answer; empty if copies do not answer. */
    public List<StaleView> stale(boolean isOfCopy, Collection<Integer> partitions) {
        return isOfCopy ? new TreeSet<>(partitions).stream().map(this::stale).toList() : List.of();
    }

    /**
     * Returns the error for something that was not found. It names records that were sent and still wait, since the thing
     * may be among them; a copy may lag behind, so it answers that it does not know.
     *
     * @param missing the sentence that says so
     */
    public RuntimeException notFound(Context ctx, StreamName stream, String missing) {
        if (!PeerAccess.isOfCopy(ctx)) {
            return ProblemException.notFound(missing + waiting());
        }
        int partition = placement.partitionOf(stream);
        Long lag = stale(partition).lagRecords();
        String behind = lag == null ? "" : ", " + lag + " records behind,";
        return new NotReadyException(
                "the copy of partition " + partition + " at " + placement.self() + behind
                        + " does not have it, but the partition itself may have it",
                RETRY_AFTER);
    }

    private String waiting() {
        long records = waiting.get().orElse(0);
        if (records == 0) {
            return "";
        }
        String wait = records == 1 ? "1 record sent to Ebb waits" : records + " records sent to Ebb wait";
        return "; " + wait + " to be taken in, so ask again in a moment";
    }

    private StaleView stale(int partition) {
        OptionalLong lag = replicas.lag(partition);
        @Nullable Long known = lag.isPresent() ? (Long) lag.getAsLong() : null;
        return new StaleView(partition, placement.self(), known);
    }
}
