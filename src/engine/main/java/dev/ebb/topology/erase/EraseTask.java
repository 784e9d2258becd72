package dev.ebb.topology.erase;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.store.EventStore;
import dev.ebb.store.layout.EventSieve;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.removal.Outbox;
import java.util.function.Supplier;

/**
 * Erasure, with the parts of the partition that it uses. Not thread-safe.
 *
 * @param isCount true to count the events of the store only, for the brake
 * @param guard confines a failure that concerns one stream to that stream
 * @param policies the newest policies in force
 * @param copies finds copies of deleted events
 */
record EraseTask(
        CommandRequest request,
        boolean isCount,
        EventStore store,
        StreamGuard guard,
        Supplier<PolicySet> policies,
        Outbox outbox,
        Copies copies)
        implements Copies.Wanted {

    public Command.OfMatches command() {
        return (Command.OfMatches) request.command();
    }

    /** Returns true if the copies of the events go too. */
    public boolean isErasure() {
        return command() instanceof Command.EraseEvents;
    }

    /** Returns the cause of the removals. */
    public RemovalCause cause() {
        return command() instanceof Command.EmptySource empty
                ? (empty.hasTombstones() ? RemovalCause.DELETE : RemovalCause.EMPTY_SOURCE)
                : RemovalCause.ERASE;
    }

    public boolean isDryRun() {
        return request.isDryRun();
    }

    /** Returns true if the erasure is about the events of a plan, and no others. */
    public boolean isPlanned() {
        return request.plan() != null;
    }

    /** Returns true if the erasure may concern an event of the namespace. */
    boolean isAbout(String namespace) {
        return command().namespace() == null || namespace.equals(command().namespace());
    }

    /** Returns true if the event meets the conditions. */
    @Override
    public boolean isMeant(Event event) {
        return command().isAbout(event.stream())
                && EventCondition.areAllMetBy(event, command().where());
    }

    /** Returns true if the key may be meant; records of any stream may have a key that names no stream. */
    @Override
    public boolean mayBeMeant(String key) {
        return StreamName.problem(key) != null
                || (command().isAbout(new StreamName(key))
                        && new EventSieve(command().where()).takesStream(key));
    }
}
