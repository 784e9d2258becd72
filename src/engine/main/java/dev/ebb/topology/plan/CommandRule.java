package dev.ebb.topology.plan;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.Found;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.state.StreamState;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rule of a person's command on events: protection, unless the command is forced, and for a prune its condition. Not
 * thread-safe.
 */
public final class CommandRule implements PlanRule {

    private final EventStore store;
    private final RemovalCause cause;
    private final @Nullable PruneCondition condition;
    private final boolean isForced;
    private final Function<StreamState, @Nullable LeftOut> keepsAll;

    private CommandRule(
            EventStore store,
            RemovalCause cause,
            @Nullable PruneCondition condition,
            boolean isForced,
            Function<StreamState, @Nullable LeftOut> keepsAll) {
        this.store = store;
        this.cause = cause;
        this.condition = condition;
        this.isForced = isForced;
        this.keepsAll = keepsAll;
    }

    /**
     * Returns the rule of a prune, or of the delete of one event.
     *
     * @param keepsAll returns the reason why the command must leave a stream alone; null if there is none
     * @throws IllegalArgumentException for any other command
     */
    public static CommandRule of(EventStore store, Command command, Function<StreamState, @Nullable LeftOut> keepsAll) {
        PruneCondition condition = condition(command);
        if (condition != null) {
            return new CommandRule(store, RemovalCause.PRUNE, condition, false, keepsAll);
        }
        if (command instanceof Command.DeleteEvent delete) {
            return new CommandRule(store, RemovalCause.DELETE, null, delete.isForced(), keepsAll);
        }
        throw new IllegalArgumentException(command.verb() + " has no plan of single events");
    }

    /** Returns the condition of a prune; null for any other command. */
    public static @Nullable PruneCondition condition(Command command) {
        if (command instanceof Command.PruneStream prune) {
            return prune.condition();
        }
        return command instanceof Command.PruneStreams prune ? prune.condition() : null;
    }

    @Override
    public @Nullable LeftOut keepsAll(StreamState stream) {
        return keepsAll.apply(stream);
    }

    @Override
    public Fate of(StreamState stream, Found found, PlannedItem planned) {
        if (!isForced && store.facts(found).isProtected()) {
            return Fate.stays(LeftOut.PROTECTED);
        }
        PruneCondition asked = condition;
        return asked == null || store.mayPrune(found, asked) ? Fate.goes(cause) : Fate.stays(LeftOut.KEPT);
    }
}
