package dev.ebb.topology.command;

import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.wire.ErrandBodies.ParentQuestion;
import dev.ebb.topology.work.ParentCheck;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Verdicts on the ancestors of the streams of one command (O-12). Not thread-safe. */
final class ParentVerdicts {

    private final ParentCheck parents;
    private final String commandId;
    private final Map<String, Verdict> verdicts;
    private int unanswered;

    ParentVerdicts(ParentCheck parents, String commandId, Map<String, Verdict> known) {
        this.parents = parents;
        this.commandId = commandId;
        this.verdicts = new HashMap<>(known);
        this.unanswered = (int)
                known.values().stream().filter(verdict -> !verdict.isAnswered()).count();
    }

    /**
     * Verdict on the ancestors of a stream.
     *
     * @param parent the parent that was asked
     * @param isAnswered true if the answer has come
     * @param refusal the reason why the stream must stay; null if there is none
     * @param by the stream that settled it
     */
    record Verdict(
            String parent, boolean isAnswered, @Nullable Refusal refusal, String by) {

        /** Explains the refusal for people. */
        String explain() {
            return refusal == Refusal.PARENT_OPEN
                    ? "its ancestor " + by + " is open; 'ebb stream describe " + by + "' shows its open work"
                    : "the parents of the stream lead back to it, or are too many";
        }
    }

    /** Returns true if an answer is on its way. */
    boolean isWaiting() {
        return unanswered > 0;
    }

    /**
     * Returns the verdict on the stream as it is now, with that parent; null while the verdict is on its way. Asks for
     * the verdict if this was not done yet, and asks again if the stream had another parent then.
     */
    @Nullable
    Verdict of(StreamState stream, StreamName parent, long nowMs) {
        String name = stream.stream().value();
        Verdict known = verdicts.get(name);
        if (known == null || !known.parent().equals(parent.value())) {
            put(name, new Verdict(parent.value(), false, null, ""));
            parents.ask(commandId, stream.stream(), parent, nowMs);
            return null;
        }
        return known.isAnswered() ? known : null;
    }

    /** Takes an answer, unless the stream has another parent by now. */
    void tell(ParentQuestion answer) {
        Verdict asked = verdicts.get(answer.child());
        if (asked != null && asked.parent().equals(answer.parent())) {
            put(answer.child(), new Verdict(answer.parent(), true, answer.refusal(), answer.stream()));
        }
    }

    /** Returns all verdicts by stream; a copy. */
    Map<String, Verdict> all() {
        return new HashMap<>(verdicts);
    }

    private void put(String name, Verdict verdict) {
        Verdict before = verdicts.put(name, verdict);
        unanswered += (verdict.isAnswered() ? 0 : 1) - (before == null || before.isAnswered() ? 0 : 1);
    }
}
