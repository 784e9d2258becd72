package dev.ebb.topology.command;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.order.OpenSearches;
import dev.ebb.topology.wire.ErrandBodies.Candidate;
import dev.ebb.topology.wire.ErrandBodies.Gather;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import dev.ebb.topology.work.Candidates;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work that names the next candidates of one partition to the leader of a command over many streams. Goes through all
 * streams in slices; after a crash it begins again with the first. Not thread-safe.
 */
final class GatherWork extends Work {

    static final Kind<State> KIND = new Kind<>("gather", State.class, GatherWork::new);

    private final Candidates candidates;
    private final OpenSearches searches;
    private final State state;
    private Candidates.@Nullable Search search;

    GatherWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.question().request());
        this.candidates = parts.candidates();
        this.searches = parts.searches();
        this.state = state;
    }

    /**
     * State of the work as it is saved.
     *
     * @param askedBy the partition that gathers the answers
     */
    record State(Gather question, int askedBy) {}

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        String planId = request.plan();
        if (planId != null) {
            send(state.askedBy(), Errand.Step.GATHERED, planned(planId), nowMs);
            return Progress.DONE;
        }
        if (state.question().after() != null && !searches.isOpen(commandId(), nowMs)) {
            fail("its search has ended here", nowMs);
            return Progress.DONE;
        }
        Candidates.Search current = search;
        if (current == null) {
            current = candidates.search(state.question(), nowMs);
            search = current;
        }
        if (!current.run(nowMs, budget)) {
            return current.isWaiting() ? Progress.LATER : Progress.MORE;
        }
        send(state.askedBy(), Errand.Step.GATHERED, current.answer(), nowMs);
        return Progress.DONE;
    }

    /** Returns the next streams of the plan, whatever has become of them; none of them is completed before another. */
    private Gathered planned(String planId) {
        Gather question = state.question();
        Candidate after = question.after();
        List<Candidate> streams =
                context
                        .store()
                        .plans()
                        .streams(planId, after == null ? null : after.stream(), question.limit())
                        .stream()
                        .map(stream -> new Candidate(stream, 0))
                        .toList();
        return new Gathered(streams, Deleted.NOTHING, streams.size() < question.limit(), List.of());
    }

    @Override
    public void fail(String problem, long nowMs) {
        Gathered nothing = new Gathered(List.of(), Deleted.skipped(Refusal.FAILED), true, List.of());
        send(state.askedBy(), Errand.Step.GATHERED, nothing, nowMs);
    }

    @Override
    public Object state() {
        return state;
    }
}
