package dev.ebb.store.arrival;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.layout.Grave;
import dev.ebb.store.layout.StatusesInForce;
import dev.ebb.store.layout.WaitingEnd;
import dev.ebb.store.state.Graves;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The ends of executions of streams that commands deleted (O-10). Such an end may come from a worker that knows nothing of
 * the delete, or belong to an import that has just begun. So it makes no stream: it waits beside the grave until the stream
 * of this name holds events of its execution. An end never ends an execution that the present stream has started while a
 * worker of a former stream may still be at it. Not thread-safe.
 */
public final class WaitingEnds {

    /** The fate of an update of an execution. */
    public enum Fate {
        /** The update takes effect at once. */
        TAKEN,
        /** The update is an end that waits beside the grave. */
        WAITS,
        /** The update changes nothing. */
        PASSED_OVER
    }

    private final StreamTable streams;
    private final Graves graves;
    private final ExecutionUpdates executions;
    private final StatusesInForce statuses;
    private final KeptEnds kept;

    public WaitingEnds(
            KeyValueStore<Bytes, byte[]> usage,
            StreamTable streams,
            ExecutionUpdates executions,
            StatusesInForce statuses) {
        this.streams = streams;
        this.graves = streams.graves();
        this.executions = executions;
        this.statuses = statuses;
        this.kept = new KeptEnds(usage, streams);
        graves.dropWith(kept::drop);
    }

    /** Counts the waiting ends; {@link StreamTable#open} must come first. */
    public void open() {
        kept.open();
    }

    /** Returns the number of waiting ends; a few of them may have to be dropped. */
    public long count() {
        return kept.count();
    }

    /** Returns the stream of each end that was dropped since the last call; each end counts. */
    public List<StreamName> takeDropped() {
        return kept.takeDropped();
    }

    /** Returns the fate of an update that was not produced before a delete of its stream. */
    public Fate fate(ExecutionUpdate update, long timestampMs, long nowMs) {
        StreamName name = update.stream();
        StreamState stream = streams.find(name);
        long deletedAtMs = graves.standingMs(name, stream, nowMs);
        if (deletedAtMs < 0 || !isEnd(update) || (update.startedAt() != null && update.startedAt() >= deletedAtMs)) {
            return Fate.TAKEN;
        }
        Segment segment = stream == null ? null : stream.segment(update.execution());
        Grave grave = graves.of(name);
        if (grave == null) {
            // It was forgotten by a clock that has been set back since.
            return Fate.TAKEN;
        }
        if (segment == null || !segment.isKnown()) {
            return hasRoom(grave, update, timestampMs) ? Fate.WAITS : Fate.PASSED_OVER;
        }
        boolean isTaken = !grave.mayBeAtWork(update.execution()) || WhoseEnd.mayEnd(segment.execution(), update);
        return isTaken ? Fate.TAKEN : Fate.PASSED_OVER;
    }

    private boolean isEnd(ExecutionUpdate update) {
        return update.status() != null && ExecutionUpdates.isTerminal(statuses, update.execution(), update.status());
    }

    private boolean hasRoom(Grave grave, ExecutionUpdate update, long timestampMs) {
        long bytes = WaitingEnd.of(update, timestampMs, grave.nextOrder()).encode().length;
        return grave.hasRoomFor(bytes) || kept.find(update.stream(), update.execution()) != null;
    }

    /** Has an end wait beside the grave of its stream; a later end of the same execution is joined to an earlier one. */
    public void await(ExecutionUpdate update, long timestampMs) {
        StreamName name = update.stream();
        Grave grave = Objects.requireNonNull(graves.of(name));
        byte[] former = kept.find(name, update.execution());
        long order = grave.nextOrder();
        WaitingEnd end = former == null
                ? WaitingEnd.of(update, timestampMs, order)
                : WaitingEnd.decode(name, update.execution(), former).followedBy(update, timestampMs, order);
        byte[] bytes = end.encode();
        kept.put(name, update.execution(), bytes, former == null);
        int formerBytes = former == null ? 0 : former.length;
        kept.change(name, grave.withNextOrder().withEnds(former == null ? 1 : 0, bytes.length - formerBytes));
    }

    /**
     * Lets the end that waits for this execution take effect now that the stream holds an event of it.
     *
     * @return the execution as it is then; null if no end takes effect
     */
    public @Nullable ExecutionChange takeEffect(StreamState stream, long number, long nowMs, PolicySet policies) {
        return takeEffect(stream, number, nowMs, policies, WhoseEnd::mayEnd);
    }

    /**
     * Lets the end that waits for this execution take effect now that an undo has brought the execution back.
     *
     * @return the execution as it is then; null if no end takes effect
     */
    public @Nullable ExecutionChange takeEffectOnReturned(
            StreamState stream, long number, long nowMs, PolicySet policies) {
        return takeEffect(stream, number, nowMs, policies, WhoseEnd::mayEndReturned);
    }

    private @Nullable ExecutionChange takeEffect(
            StreamState stream,
            long number,
            long nowMs,
            PolicySet policies,
            BiPredicate<Execution, ExecutionUpdate> isMeant) {
        if (stream.waitingEnds() == 0) {
            return null;
        }
        Grave grave = graves.of(stream.stream());
        byte[] bytes = kept.find(stream.stream(), number);
        Segment segment = stream.segment(number);
        if (grave == null || bytes == null || segment == null || !segment.isKnown() || !graves.stands(grave, nowMs)) {
            return null;
        }
        WaitingEnd end = WaitingEnd.decode(stream.stream(), number, bytes);
        if (!isMeant.test(segment.execution(), end.update())) {
            return null;
        }
        boolean namesParent = end.update().parent() != null && end.parentOrder() > grave.parentOrder();
        Grave without = grave.withEnds(-1, -bytes.length);
        kept.remove(stream.stream(), number);
        kept.change(stream.stream(), namesParent ? without.withParentOrder(end.parentOrder()) : without);
        ExecutionUpdate update = namesParent ? end.update() : end.withoutParent();
        return executions.apply(update, end.timestampMs(), nowMs, policies);
    }

    /**
     * Follows an update that has taken effect. An end that waits for its execution takes effect, too, if it may be the end
     * of this turn, and is dropped if the execution has been started anew.
     *
     * @return the execution as it is then; null if it is as the update has left it
     */
    public @Nullable ExecutionChange follow(
            StreamState stream, ExecutionUpdate update, long nowMs, PolicySet policies) {
        if (stream.waitingEnds() == 0) {
            return null;
        }
        Grave grave = Objects.requireNonNull(graves.of(stream.stream()));
        if (update.parent() != null) {
            grave = grave.withParentOrder(grave.nextOrder()).withNextOrder();
            graves.change(stream.stream(), grave);
        }
        byte[] bytes = kept.find(stream.stream(), update.execution());
        if (bytes == null) {
            return null;
        }
        ExecutionChange ended = isEnd(update) ? null : takeEffect(stream, update.execution(), nowMs, policies);
        if (ended == null) {
            kept.drop(stream.stream(), update.execution());
            kept.change(
                    stream.stream(),
                    Objects.requireNonNull(graves.of(stream.stream())).withEnds(-1, -bytes.length));
        }
        return ended;
    }

    /**
     * Digs the grave of a stream that a command deletes now. The ends that wait beside a former grave of the name were
     * produced before this delete, and are dropped.
     *
     * @param atWork the first executions that are not terminal, one more than a grave names if there are so many
     */
    public void bury(StreamName stream, String commandId, List<Execution> atWork, long nowMs) {
        if (graves.isOff()) {
            return;
        }
        Grave former = graves.of(stream);
        Grave grave = Grave.of(Math.max(nowMs, former == null ? nowMs : former.deletedAtMs()), commandId);
        if (former != null && !former.isLifted() && graves.stands(former, nowMs)) {
            grave = former.isAnyAtWork() ? grave.withAnyAtWork() : grave.withAtWork(former.atWork());
        }
        grave = grave.withAtWork(atWork.stream().map(Execution::number).toList());
        if (former != null && former.ends() > 0) {
            Grave left = kept.drop(stream, former, end -> end.timestampMs() < nowMs, Integer.MAX_VALUE);
            grave = grave.withEndsOf(left);
        }
        graves.dig(stream, grave);
    }

    /**
     * Notes a record that was produced before the delete of its stream: it tells of an execution at which a worker may
     * still be, or has ended by then.
     */
    public void noteLate(StreamName stream, long execution, boolean isOver) {
        Grave grave = graves.of(stream);
        if (grave == null || grave.isLifted() || grave.isAnyAtWork() || grave.mayBeAtWork(execution) != isOver) {
            return;
        }
        graves.change(stream, isOver ? grave.withoutWork(execution) : grave.withAtWork(Set.of(execution)));
    }

    /** Notes whether a late update leaves its execution at work. */
    public void noteLate(ExecutionUpdate update) {
        noteLate(update.stream(), update.execution(), isEnd(update));
    }

    /** Lifts the grave of a stream that an undo of this command brings back; ends that wait go on waiting. */
    public void lift(StreamName name, String commandId) {
        StreamState stream = streams.find(name);
        Grave grave = stream != null && stream.formerDeletedMs() < 0 ? null : graves.of(name);
        if (grave == null || grave.isLifted() || !grave.commandId().equals(commandId)) {
            return;
        }
        if (grave.ends() > 0) {
            kept.change(name, grave.lifted());
            return;
        }
        graves.remove(name, grave);
        if (stream != null) {
            stream.follow(null);
        }
    }
}
