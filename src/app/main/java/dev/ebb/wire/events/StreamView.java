package dev.ebb.wire.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.port.EventQueries.NextDue;
import dev.ebb.wire.EffectivePolicyView;
import dev.ebb.wire.ShownAs;
import dev.ebb.wire.StaleView;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.read.OfStream;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Contents of a stream, including events that are due and wait for a sweep.
 *
 * @param oldest the oldest anchor of unprotected events; null if there are none
 * @param newest the newest anchor of unprotected events; null if there are none
 * @param held true if a hold covers the stream, so that nothing of it goes
 * @param nextDue the last millisecond of the event that age or own TTL takes first; left out if they take none
 * @param nextDueUnknown true if it would take long to find that event; else left out
 * @param parked number of records that wait for their schema
 * @param quarantine the reason why nothing is deleted from the stream until {@code ebb stream repair}; left out if
 *     nothing is wrong
 * @param noticeUntil time up to which no policy treats events of the stream as due, because an undo has brought some of
 *     them back; left out if none ever has
 */
public record StreamView(
        String stream,
        String namespace,
        long events,
        long bytes,
        long protectedEvents,
        long infiniteEvents,
        long timedEvents,
        @Nullable Instant oldest,
        @Nullable Instant newest,
        boolean held,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant nextDue,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean nextDueUnknown,
        long parked,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String quarantine,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant noticeUntil) {

    /** Lists streams. */
    public static final Read<Query, Page> LIST = new Read<>(
                    "/v1/streams",
                    "Lists the streams by name, with the size of their contents.",
                    Query.class,
                    Page.class)
            .fromCopies();

    /** Shows one stream. */
    public static final Read<OfStream, Detail> SHOW = new Read<>(
                    "/v1/streams/{stream}",
                    "Shows the contents of a stream, its parent and its open executions, and the policy in force with"
                            + " the scope of each field.",
                    OfStream.class,
                    Detail.class)
            .fromCopies();

    /** A selection of streams. */
    public record Query(
            @Parameter("Namespace of the streams. Default: all.") @Nullable
            String namespace,

            @Parameter("Prefix of the names. Default: all names.") @Nullable
            String prefix,

            int limit,
            @Nullable StreamName after) {}

    public static StreamView of(StreamUsage usage, boolean isHeld, NextDue nextDue) {
        return new StreamView(
                usage.stream().value(),
                usage.stream().namespace(),
                usage.events(),
                usage.bytes(),
                usage.protectedEvents(),
                usage.infiniteEvents(),
                usage.timedEvents(),
                WireJson.time(usage.oldest()),
                WireJson.time(usage.newest()),
                isHeld,
                WireJson.time(nextDue.lastMs()),
                !nextDue.isKnown(),
                usage.parked(),
                usage.quarantine(),
                WireJson.time(usage.noticeUntilMs()));
    }

    /**
     * One page; {@code next} goes into {@code after} of the next request and is null on the last page.
     *
     * @param unanswered instances whose streams are missing; empty if there are none
     * @param stale partitions for which a copy answered; left out if there are none
     */
    public record Page(
            List<StreamView> streams,
            @Nullable String next,
            List<UnansweredView> unanswered,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StaleView> stale) {}

    /**
     * Place of a stream among its parents, and its open work.
     *
     * @param parent the parent of the stream; null if none was ever named
     * @param currentExecution the highest number of an execution; 0 if there is only the implicit one
     * @param open true if an execution is not terminal or an event is of a protected status
     * @param openExecutions number of executions that are not terminal
     * @param openExecutionNumbers the last few of these executions
     * @param openEvents number of events that their own status protects
     * @param openEventIds the first few of these events
     * @param waitingEnds ends of executions that came after a delete of the stream and wait for events; left out if
     *     there are none
     */
    public record Standing(
            @Nullable String parent,
            long currentExecution,
            boolean open,
            long openExecutions,
            List<Long> openExecutionNumbers,
            long openEvents,
            List<String> openEventIds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Waiting waitingEnds) {

        public static Standing of(StreamStanding standing, EndsInWaiting waiting) {
            return new Standing(
                    standing.parent() == null ? null : standing.parent().value(),
                    standing.currentExecution(),
                    standing.isOpen(),
                    standing.openExecutions(),
                    standing.open().stream()
                            .map(usage -> usage.execution().number())
                            .toList(),
                    standing.openEvents(),
                    standing.openEventIds(),
                    waiting.ends() == 0 ? null : new Waiting(waiting.ends(), waiting.executions()));
        }
    }

    /**
     * Ends of executions that wait for events.
     *
     * @param ends their number
     * @param executions the first few of their executions
     */
    public record Waiting(long ends, List<Long> executions) {}

    /**
     * A stream with the policy in force for it.
     *
     * @param standing the parent and the open work of the stream
     * @param stale the copy that answered; left out if none did
     */
    public record Detail(
            StreamView usage,
            Standing standing,
            EffectivePolicyView policy,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StaleView> stale) {}

    /**
     * One page of events of the stream; {@code next} goes into {@code after} of the next request and is null on the
     * last page.
     *
     * @param stale the copy that answered; left out if none did
     */
    public record Events(
            @ShownAs("Event") List<ObjectNode> events,
            @Nullable String next,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StaleView> stale) {}
}
