package dev.ebb.domain.undo;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The sum of the events of one namespace that wait in the trash and were deleted for one reason within a short time.
 * Immutable.
 *
 * @param reason the reason that they have in common
 * @param namespace the namespace of their streams; {@link #OTHERS} beyond the namespaces that are counted one by one
 * @param sweepId the last sweep that deleted some of them; empty if there is none
 * @param events number of events
 * @param bytes size of these events, in bytes
 * @param executions number of executions, which have no size
 * @param firstMs the time of the first delete, epoch milliseconds
 * @param lastMs the time of the last delete, epoch milliseconds
 * @param firstUntilMs the time from which some of them can no longer be brought back, epoch milliseconds
 * @param untilMs the time from which none of them can be brought back, epoch milliseconds
 * @param begunMs the time of the first delete for this reason, which may be final by now, epoch milliseconds
 * @param missing number of these events and executions that are not in the trash, as far as was found out
 */
public record TrashSum(
        Reason reason,
        String namespace,
        String sweepId,
        long events,
        long bytes,
        long executions,
        long firstMs,
        long lastMs,
        long firstUntilMs,
        long untilMs,
        long begunMs,
        long missing) {

    /**
     * Stands for all namespaces beyond those that are counted one by one; no namespace contains a control character.
     */
    public static final String OTHERS = "\u0001others";

    /**
     * The reason of a deletion.
     *
     * @param commandId the command; empty if there was none
     * @param change the change of policies that made the events due, for example {@code namespace:orders@12}; empty for
     *     a command
     * @param cause the cause of the deletion
     * @param scope the scope of the policy that applied; {@code command} for a command
     */
    public record Reason(String commandId, String change, RemovalCause cause, String scope) {

        /** Returns the reason that stands for all commands or changes beyond those that are counted one by one. */
        public Reason others() {
            return new Reason("", "", cause, scope);
        }
    }

    /** Returns the sum of events of the stream that the deletion took. */
    public static TrashSum of(StreamName stream, Deletion deletion, long events, long bytes) {
        Reason reason = new Reason(deletion.commandId(), deletion.change(), deletion.cause(), deletion.scope());
        return of(reason, stream.namespace(), deletion, events, bytes);
    }

    /** Returns the sum of events that the deletion took, under another reason or namespace. */
    public static TrashSum of(Reason reason, String namespace, Deletion deletion, long events, long bytes) {
        long atMs = deletion.deletedAtMs();
        long untilMs = deletion.untilMs();
        return new TrashSum(
                reason, namespace, deletion.sweepId(), events, bytes, 0, atMs, atMs, untilMs, untilMs, atMs, 0);
    }

    /** Returns the sum of one execution of the stream that the deletion took. */
    public static TrashSum ofExecution(StreamName stream, Deletion deletion) {
        return of(stream, deletion, 0, 0).with(0, 0, 1);
    }

    /** Returns one sum for each reason and namespace, without empty ones, the last deleted first. */
    public static List<TrashSum> joined(Stream<TrashSum> parts) {
        Map<List<Object>, TrashSum> sums = new HashMap<>();
        parts.filter(part -> !part.hasNothing())
                .forEach(part -> sums.merge(List.of(part.reason, part.namespace), part, TrashSum::plus));
        return sums.values().stream()
                .sorted(Comparator.comparingLong(TrashSum::lastMs)
                        .reversed()
                        .thenComparing(sum -> sum.reason.commandId)
                        .thenComparing(sum -> sum.reason.change)
                        .thenComparing(sum -> sum.reason.cause)
                        .thenComparing(sum -> sum.reason.scope)
                        .thenComparing(TrashSum::namespace))
                .toList();
    }

    /** Returns the total of a number over all sums. */
    public static long total(Collection<TrashSum> sums, ToLongFunction<TrashSum> number) {
        return sums.stream().mapToLong(number).sum();
    }

    /** Returns the sum of both, which have the same reason; the sweep is that of the later one. */
    public TrashSum plus(TrashSum other) {
        return new TrashSum(
                reason,
                namespace,
                lastMs > other.lastMs ? sweepId : other.sweepId,
                events + other.events,
                bytes + other.bytes,
                executions + other.executions,
                Math.min(firstMs, other.firstMs),
                Math.max(lastMs, other.lastMs),
                Math.min(firstUntilMs, other.firstUntilMs),
                Math.max(untilMs, other.untilMs),
                Math.min(begunMs, other.begunMs),
                missing + other.missing);
    }

    /** Returns this sum with more, or fewer, events, bytes and executions; no number falls below 0. */
    public TrashSum with(long moreEvents, long moreBytes, long moreExecutions) {
        return of(
                Math.max(0, events + moreEvents),
                Math.max(0, bytes + moreBytes),
                Math.max(0, executions + moreExecutions),
                begunMs,
                missing);
    }

    /** Returns this sum if deletes for its reason began at that time. */
    public TrashSum begunAt(long ms) {
        return of(events, bytes, executions, ms, missing);
    }

    /** Returns this sum if that many of its events and executions are not in the trash. */
    public TrashSum missing(long records) {
        return of(events, bytes, executions, begunMs, records);
    }

    /** Returns a sum for the same reason; no more records are missing than there are. */
    private TrashSum of(long ofEvents, long ofBytes, long ofExecutions, long begunAtMs, long ofMissing) {
        return new TrashSum(
                reason,
                namespace,
                sweepId,
                ofEvents,
                ofBytes,
                ofExecutions,
                firstMs,
                lastMs,
                firstUntilMs,
                untilMs,
                begunAtMs,
                Math.min(ofMissing, ofEvents + ofExecutions));
    }

    /** Returns true if neither an event nor an execution is left. */
    public boolean hasNothing() {
        return events == 0 && executions == 0;
    }
}
