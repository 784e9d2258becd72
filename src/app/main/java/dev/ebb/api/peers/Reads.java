package dev.ebb.api.peers;

import dev.ebb.api.http.ProblemException;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.Copies;
import dev.ebb.port.EventQueries;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.Placement;
import dev.ebb.wire.StaleView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads streams and events for a request: of the partitions that this instance keeps, or of its copies. Thread-safe. */
public final class Reads {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final EventQueries events;
    private final Copies copies;
    private final Placement placement;

    public Reads(EventQueries events, PeerPorts peers) {
        this.events = events;
        this.copies = peers.copies();
        this.placement = peers.placement();
    }

    /** The queries that answer the request. */
    public EventQueries of(Context ctx) {
        return of(PeerAccess.isOfCopy(ctx));
    }

    /** @param isOfCopy true if copies may answer */
    public EventQueries of(boolean isOfCopy) {
        return isOfCopy ? copies.events() : events;
    }

    /** The copy that answers for the stream; empty if none does. */
    public List<StaleView> stale(Context ctx, StreamName stream) {
        return stale(PeerAccess.isOfCopy(ctx), List.of(placement.partitionOf(stream)));
    }

    /** The copies of these partitions, if copies answer; empty if they do not. */
    public List<StaleView> stale(boolean isOfCopy, Collection<Integer> partitions) {
        return isOfCopy ? new TreeSet<>(partitions).stream().map(this::stale).toList() : List.of();
    }

    /** Error for something that is not there; a copy cannot know that, so it says that it does not. */
    public RuntimeException notFound(Context ctx, StreamName stream, ProblemException problem) {
        if (!PeerAccess.isOfCopy(ctx)) {
            return problem;
        }
        int partition = placement.partitionOf(stream);
        Long lag = stale(partition).lagRecords();
        String behind = lag == null ? "" : ", " + lag + " records behind,";
        return new NotReadyException(
                "the copy of partition " + partition + " at " + placement.self() + behind
                        + " does not have it, but the partition itself may have it",
                RETRY_AFTER);
    }

    private StaleView stale(int partition) {
        OptionalLong lag = copies.lag(partition);
        @Nullable Long known = lag.isPresent() ? (Long) lag.getAsLong() : null;
        return new StaleView(partition, placement.self(), known);
    }
}
