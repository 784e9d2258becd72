package dev.ebb.simulation;

import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.topology.trash.TrashKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What of one partition waits in the trash by the model. It goes back with its task when a transaction is aborted. Not
 * thread-safe.
 */
final class TrashShadow {

    private final Map<TrashKey, Gone> waiting = new LinkedHashMap<>();

    /** Executions that were taken out, and how many commands had been sent by then. */
    private final List<Out> out = new ArrayList<>();

    /** When an id, or the number of an execution, was last used in a stream. */
    private final Map<String, Long> uses = new HashMap<>();

    /** What an abort takes back, the last one first. */
    private final List<Runnable> former = new ArrayList<>();

    private long clock;

    /**
     * An event or execution that went and can come back.
     *
     * @param kept the event; null for an execution
     * @param declared the execution; null for an event
     * @param carried the execution of an event as it was then; null if it was not declared
     * @param openSinceMs of an execution; 0 if it was terminal
     * @param commandId the command that deleted; empty for a sweep
     * @param untilMs the first millisecond at which nothing brings it back
     * @param sent number of the commands that had been sent by then
     * @param at its place in the order of deletes and uses
     * @param sid the number of the stream that it went from
     */
    record Gone(
            TrashKey place,
            @Nullable Kept kept,
            @Nullable Declared declared,
            @Nullable Declared carried,
            long openSinceMs,
            String commandId,
            long deletedAtMs,
            long untilMs,
            int sent,
            long at,
            long sid) {

        /** Later streams of a name come before later deletes: a deleted stream is emptied bit by bit. */
        boolean isNewerThan(Gone other) {
            return sid == other.sid ? at > other.at : sid > other.sid;
        }

        String stream() {
            return place.stream().value();
        }

        /** What names the event or execution, whichever of its deletes is meant. */
        String name() {
            return kept == null ? nameOf(stream(), Objects.requireNonNull(declared).number) : nameOf(stream(), kept.id);
        }
    }

    private record Out(Gone gone, int sent) {}

    static String nameOf(String stream, String id) {
        return stream + "|" + id;
    }

    static String nameOf(String stream, long execution) {
        return stream + "#" + execution;
    }

    long tick() {
        return ++clock;
    }

    Collection<Gone> waiting() {
        return waiting.values();
    }

    void add(Gone gone) {
        waiting.put(gone.place(), gone);
        former.add(() -> waiting.remove(gone.place()));
    }

    /**
     * Takes out what waits there; null if nothing does.
     *
     * @param sent number of the commands that have been sent
     */
    @Nullable
    Gone take(TrashKey place, int sent) {
        Gone gone = waiting.remove(place);
        if (gone != null) {
            former.add(() -> waiting.put(place, gone));
        }
        if (gone != null && gone.declared() != null) {
            Out taken = new Out(gone, sent);
            out.add(taken);
            former.add(() -> out.remove(taken));
        }
        return gone;
    }

    /** The executions that were taken out since so many commands had been sent. */
    List<Gone> outSince(int sent) {
        return out.stream().filter(taken -> taken.sent() >= sent).map(Out::gone).toList();
    }

    /** The id or the execution is used. An abort does not take it back: what is used less often has no fewer excuses. */
    void use(String name) {
        uses.put(name, tick());
    }

    /** Returns true if the name was used since then. */
    boolean isUsedSince(String name, long at) {
        return uses.getOrDefault(name, 0L) > at;
    }

    void commit() {
        former.clear();
    }

    void abort() {
        for (int i = former.size() - 1; i >= 0; i--) {
            former.get(i).run();
        }
        former.clear();
    }
}
