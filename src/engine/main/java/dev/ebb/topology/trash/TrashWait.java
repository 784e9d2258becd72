package dev.ebb.topology.trash;

import dev.ebb.domain.undo.UndoTerms;
import dev.ebb.store.state.StreamState;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Streams that are not swept while the trash takes no records, since their deletes could be undone (T-5). Sweeps of all
 * other streams go on. To send all the same would end the transaction and the thread, and stop the intake for seconds.
 * Not thread-safe.
 */
public final class TrashWait {

    private final UndoTerms terms;
    private final SetTtls setTtls;
    private final BooleanSupplier isClosed;
    private final LongSupplier clock;
    private final Set<StreamState> waiting = new LinkedHashSet<>();

    /**
     * @param setTtls the streams with TTLs that a command may have set
     * @param isClosed returns true while the trash takes no records
     * @param clock the time, epoch milliseconds
     */
    public TrashWait(UndoTerms terms, SetTtls setTtls, BooleanSupplier isClosed, LongSupplier clock) {
        this.terms = terms;
        this.setTtls = setTtls;
        this.isClosed = isClosed;
        this.clock = clock;
    }

    /** Returns true if the stream must wait, and then remembers the stream. */
    public boolean holds(StreamState stream) {
        boolean isHeld = isClosed.getAsBoolean() && canBeUndone(stream);
        if (isHeld) {
            waiting.add(stream);
        }
        return isHeld;
    }

    private boolean canBeUndone(StreamState stream) {
        boolean isByCommand = setTtls.isNoted(stream.stream()) && terms.undoMsOfCommands(stream.policy()) > 0;
        return isByCommand || terms.areForSweepsOf(stream.stream(), stream.policy(), clock.getAsLong());
    }

    /**
     * Forgets namespaces that need not wait any more, now and then.
     *
     * @param book counts the deletes that can be undone
     */
    public void forget(TrashBook book, long nowMs) {
        setTtls.forget(book, nowMs);
    }

    /** Returns true if any stream waits. */
    public boolean isAny() {
        return !waiting.isEmpty();
    }

    /** Returns the streams that no longer need to wait, each once; none while the trash is closed. */
    public List<StreamState> released() {
        if (waiting.isEmpty() || isClosed.getAsBoolean()) {
            return List.of();
        }
        List<StreamState> released = List.copyOf(waiting);
        waiting.clear();
        return released;
    }
}
