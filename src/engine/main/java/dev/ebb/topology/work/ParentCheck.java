package dev.ebb.topology.work;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.wire.ErrandBodies;
import dev.ebb.topology.wire.ErrandBodies.ParentQuestion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Check along the chain of parents whether one of them is open (O-12). The question goes to the partition of each
 * ancestor as a record, and the answer comes back as one. Each ancestor answers for the moment in which it is asked.
 * Not thread-safe.
 */
public record ParentCheck(CommandContext context) {

    /** Sends the question on its way for a stream of this partition. */
    public void ask(String commandId, StreamName child, StreamName parent, long nowMs) {
        ParentQuestion question = new ParentQuestion(
                parent.value(), child.value(), parent.value(), context.partition(), List.of(child.value()), null);
        context.send(context.partitionOf(parent), commandId, Errand.Step.ASK_PARENT, question, nowMs);
    }

    /** Answers for a stream of this partition, or sends the question on to its parent. */
    public void answer(Errand errand, ParentQuestion question, long nowMs) {
        StreamName asked = new StreamName(question.stream());
        StreamState stream = context.store().stream(asked);
        StreamName next = stream == null ? null : stream.parent();
        Refusal refusal = refusal(question, stream);
        if (refusal != null || next == null) {
            tell(errand, question, refusal, nowMs);
            return;
        }
        List<String> visited = new ArrayList<>(question.visited());
        visited.add(asked.value());
        ParentQuestion onwards = new ParentQuestion(
                next.value(), question.child(), question.parent(), question.partition(), visited, null);
        context.send(context.partitionOf(next), errand.commandId(), Errand.Step.ASK_PARENT, onwards, nowMs);
    }

    /**
     * Returns the refusal by a parent, if any: a parent that does not exist is not open (M-6), one whose state is
     * uncertain may be.
     */
    private static @Nullable Refusal refusal(ParentQuestion question, @Nullable StreamState stream) {
        if (question.visited().contains(question.stream()) || question.visited().size() > ErrandBodies.MAX_HOPS) {
            return Refusal.PARENT_CYCLE;
        }
        boolean mayBeOpen = stream != null && (stream.isOpen() || StreamRefusals.isUncertain(stream));
        return mayBeOpen ? Refusal.PARENT_OPEN : null;
    }

    private void tell(Errand errand, ParentQuestion question, @Nullable Refusal refusal, long nowMs) {
        ParentQuestion answer = new ParentQuestion(
                question.stream(),
                question.child(),
                question.parent(),
                question.partition(),
                question.visited(),
                refusal);
        context.send(question.partition(), errand.commandId(), Errand.Step.TELL_PARENT, answer, nowMs);
    }
}
