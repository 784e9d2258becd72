package dev.ebb.topology.command;

import static java.util.Map.entry;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandKind;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.topology.erase.EraseWork;
import dev.ebb.topology.undo.UndoLead;
import dev.ebb.topology.undo.UndoWork;
import dev.ebb.topology.wire.ErrandBodies.SweepNow;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The work of every command. If a command has none, no task starts. Stateless. */
final class Works {

    /** Work with which each command begins, on the partition at which the command arrives. */
    private static final Map<CommandKind<?>, Beginning<?, Work.Asked>> BEGINNINGS = complete(
            kind -> true,
            Map.ofEntries(
                    entry(Command.DeleteStream.KIND, new Beginning<>(StreamsWork.KIND, StreamsWork.State::ofOne)),
                    entry(Command.PruneStream.KIND, new Beginning<>(StreamsWork.KIND, StreamsWork.State::ofOne)),
                    entry(Command.PurgeStreams.KIND, new Beginning<>(FanOut.KIND, FanOut.State::of)),
                    entry(Command.PruneStreams.KIND, new Beginning<>(FanOut.KIND, FanOut.State::of)),
                    entry(Command.SetTtl.KIND, new Beginning<>(EventWork.KIND, EventWork.State::of)),
                    entry(Command.DeleteEvent.KIND, new Beginning<>(EventWork.KIND, EventWork.State::of)),
                    entry(Command.RepairMirror.KIND, of(RepairWork.KIND, RepairWork.State::of)),
                    entry(Command.RepairStream.KIND, of(RepairStreamWork.KIND, RepairStreamWork.State::of)),
                    entry(Command.SweepNow.KIND, new Beginning<>(SweepFanOut.KIND, SweepFanOut.State::of)),
                    entry(Command.DropParked.KIND, new Beginning<>(SweepFanOut.KIND, SweepFanOut.State::of)),
                    entry(Command.RetryParked.KIND, new Beginning<>(SweepFanOut.KIND, SweepFanOut.State::of)),
                    entry(Command.EraseEvents.KIND, new Beginning<>(SweepFanOut.KIND, SweepFanOut.State::of)),
                    entry(Command.EmptySource.KIND, new Beginning<>(SweepFanOut.KIND, SweepFanOut.State::of)),
                    entry(Command.UndoDeletes.KIND, new Beginning<>(UndoLead.KIND, UndoLead.State::of))));

    /** Share of each partition in a command on partitions. */
    private static final Map<CommandKind<?>, Beginning<?, Share>> SHARES = complete(
            kind -> Command.OfPartitions.class.isAssignableFrom(kind.type()),
            Map.of(
                    Command.SweepNow.KIND, new Beginning<>(SweepWork.KIND, Works::sweep),
                    Command.DropParked.KIND, new Beginning<>(ParkedWork.KIND, Works::parked),
                    Command.RetryParked.KIND, new Beginning<>(ParkedWork.KIND, Works::parked),
                    Command.EraseEvents.KIND, new Beginning<>(EraseWork.KIND, Works::erasure),
                    Command.EmptySource.KIND, new Beginning<>(EraseWork.KIND, Works::erasure),
                    Command.UndoDeletes.KIND, new Beginning<>(UndoWork.KIND, Works::undo)));

    private Works() {}

    /**
     * Order to carry out a share.
     *
     * @param askedBy the partition that leads the command
     * @param nowMs the time at which the order came
     */
    record Share(SweepNow order, int askedBy, long nowMs) {}

    /** Returns the beginning of work that does not depend on how far its sender has seen the policies. */
    private static <S> Beginning<S, Work.Asked> of(Work.Kind<S> kind, Function<CommandRequest, S> first) {
        return new Beginning<>(kind, asked -> first.apply(asked.request()));
    }

    /** Kind of work, and its state when the work begins. */
    private record Beginning<S, Q>(Work.Kind<S> kind, Function<Q, S> first) {

        Work begin(WorkParts parts, Q asked) {
            return kind.make(parts, first.apply(asked));
        }
    }

    private static <Q> Map<CommandKind<?>, Beginning<?, Q>> complete(
            Predicate<CommandKind<?>> isNeeded, Map<CommandKind<?>, Beginning<?, Q>> table) {
        Command.Kinds.LIST.stream().filter(isNeeded).forEach(kind -> required(kind, table.get(kind)));
        return table;
    }

    private static <T> T required(CommandKind<?> kind, @Nullable T work) {
        if (work == null) {
            throw new IllegalStateException(kind + " has no work");
        }
        return work;
    }

    private static SweepWork.State sweep(Share share) {
        SweepNow order = share.order();
        return SweepWork.State.of(order.request(), order.pointMs(), share.askedBy(), share.nowMs(), order.awaited());
    }

    private static ParkedWork.State parked(Share share) {
        return ParkedWork.State.of(share.order().request(), share.askedBy());
    }

    private static EraseWork.State erasure(Share share) {
        return EraseWork.State.of(share.order(), share.askedBy());
    }

    private static UndoWork.State undo(Share share) {
        return UndoWork.State.of(share.order(), share.askedBy());
    }

    /**
     * Begins the work of a command. Plans of whole streams go the way of their command; those of single events are led
     * like a sweep.
     */
    static Work begin(WorkParts parts, Work.Asked asked) {
        CommandRequest request = asked.request();
        boolean isOfStreams =
                request.command() instanceof Command.DeleteStream || request.command() instanceof Command.PurgeStreams;
        if (request.plan() != null && !isOfStreams) {
            return SweepFanOut.KIND.make(parts, SweepFanOut.State.of(asked));
        }
        CommandKind<?> kind = Command.Kinds.of(request.command());
        return required(kind, BEGINNINGS.get(kind)).begin(parts, asked);
    }

    static Work share(WorkParts parts, Share share) {
        CommandRequest request = share.order().request();
        boolean isErasure = request.command() instanceof Command.OfMatches;
        if (request.plan() != null && !request.isDryRun() && !isErasure) {
            return PlanWork.KIND.make(parts, PlanWork.State.of(share));
        }
        CommandKind<?> kind = Command.Kinds.of(request.command());
        return required(kind, SHARES.get(kind)).begin(parts, share);
    }

    /** Returns the kinds of work with which commands begin. */
    static Set<Work.Kind<?>> beginnings() {
        return BEGINNINGS.values().stream().map(Beginning::kind).collect(Collectors.toSet());
    }

    /** Returns all kinds of work. */
    static Stream<Work.Kind<?>> all() {
        Stream<Work.Kind<?>> shares = SHARES.values().stream().map(Beginning::kind);
        return Stream.of(beginnings().stream(), shares, Stream.of(GatherWork.KIND, PlanWork.KIND))
                .<Work.Kind<?>>flatMap(Function.identity())
                .distinct();
    }
}
