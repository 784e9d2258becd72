package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.wire.CandidatePages;
import dev.ebb.topology.wire.CandidatePages.Page;
import dev.ebb.topology.wire.ErrandBodies.CarriedOut;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.ErrandBodies.EndSearch;
import dev.ebb.topology.wire.ErrandBodies.Gather;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import dev.ebb.topology.work.Candidates;
import dev.ebb.topology.work.StreamRefusals;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Work that leads a purge or a prune of many streams: gathers candidates from all partitions page by page, takes the
 * oldest of all, has each partition carry the command out on its own streams, and repeats until the limit is reached or
 * none is left. Skipped streams do not use the limit up. A command with a limit on its deletes makes two passes and
 * only counts in the first; in the second, no partition deletes more than it has counted and its share of the rest. Not
 * thread-safe.
 */
final class FanOut extends Work.Awaiting {

    static final Kind<State> KIND = new Kind<>("lead", State.class, FanOut::new);

    /** Largest number of candidates kept at once, over all partitions: with their parents they fit into one record. */
    private static final int PAGES = 1000;

    private final CandidatePages pages;
    private final Map<Integer, Long> deletes;
    private Deleted counts;
    private long taken;
    private int outstanding;
    private Set<Integer> waitsFor;
    private int round;
    private boolean isCounting;
    private final TreeSet<String> missing;
    private PlanTally tally;

    FanOut(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request(), state.known());
        this.pages = new CandidatePages(state.pages(), context.partitions());
        this.deletes = new TreeMap<>(state.deletes());
        this.counts = state.counts();
        this.taken = state.taken();
        this.outstanding = state.outstanding();
        this.waitsFor = new TreeSet<>(state.waitsFor());
        this.round = state.round();
        this.isCounting = state.isCounting();
        this.tally = Objects.requireNonNullElse(state.plan(), PlanTally.NOTHING);
        this.missing = new TreeSet<>(state.missing());
    }

    /**
     * Progress of the work as it is saved.
     *
     * @param pages the answers of the partitions
     * @param taken streams that count against the limit
     * @param outstanding number of partitions that have not answered the current round
     * @param waitsFor these partitions
     * @param round number that distinguishes the rounds
     * @param isCounting true if nothing is deleted in this pass
     * @param missing the first of the streams that the command names and that do not exist
     * @param plan tally of the events that the partitions have listed, or of the plan; null if none has yet
     * @param deletes by partition, the number of events that it would delete, as far as counted; after the count, the
     *     number that it may still delete
     * @param known the policies that the sender of the command has seen, for which the work waits; null if unknown
     */
    record State(
            CommandRequest request,
            Map<Integer, Page> pages,
            Deleted counts,
            long taken,
            int outstanding,
            List<Integer> waitsFor,
            int round,
            boolean isCounting,
            Map<Integer, Long> deletes,
            List<String> missing,
            @Nullable PlanTally plan,
            @Nullable PolicyEdition known) {

        static State of(Work.Asked asked) {
            CommandRequest request = asked.request();
            boolean isCounting = request.isDryRun() || request.maxDeletes() != null;
            return new State(
                    request,
                    Map.of(),
                    Deleted.NOTHING,
                    0,
                    0,
                    List.of(),
                    0,
                    isCounting,
                    Map.of(),
                    List.of(),
                    null,
                    asked.known());
        }
    }

    private StreamFilter filter() {
        return ((Command.OfStreams) request.command()).filter();
    }

    @Override
    public void answered(int partition, Object answer, long nowMs) {
        if (answer instanceof Gathered gathered) {
            gathered(partition, gathered);
        } else {
            carriedOut(partition, (CarriedOut) answer, nowMs);
        }
    }

    private void gathered(int partition, Gathered answer) {
        if (!pages.add(partition, answer)) {
            return;
        }
        counts = counts.plus(answer.skipped());
        missing.addAll(Objects.requireNonNullElse(answer.missing(), List.of()));
        while (missing.size() > Candidates.MOST_NAMED) {
            missing.pollLast();
        }
    }

    /** Returns a detail that names the streams of the command that do not exist. */
    private String detail() {
        if (missing.isEmpty()) {
            return "";
        }
        long others = counts.streamsSkipped().getOrDefault(Refusal.NOT_FOUND, 0L) - missing.size();
        return "there is no stream " + String.join(", ", missing) + (others <= 0 ? "" : " and " + others + " others");
    }

    /** Takes an answer. A repeated answer is ignored: it would end the round while another partition is at work. */
    private void carriedOut(int partition, CarriedOut answer, long nowMs) {
        if (answer.round() != round || !takesAnswerOf(partition)) {
            return;
        }
        outstanding--;
        counts = counts.plus(answer.counts());
        tally = tally.plus(Objects.requireNonNullElse(answer.plan(), PlanTally.NOTHING));
        long events = answer.counts().eventsDeleted();
        deletes.merge(partition, isCounting ? events : -events, Long::sum);
        long skipped = answer.counts().streamsSkipped().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        taken += answer.counts().streamsProcessed() - skipped;
        if (!isCounting) {
            reply.running(request, "", counts, nowMs);
        }
    }

    private boolean takesAnswerOf(int partition) {
        return waitsFor.remove(partition);
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        if (filter().isEmpty() && !filter().isAll()) {
            String detail = "it names no filter; to act on all streams, ask for all of them";
            reply.refused(request, Refusal.NO_FILTER, detail, Outcome.nothing(), nowMs);
            return Progress.DONE;
        }
        if (outstanding > 0) {
            return Progress.WAITING;
        }
        Progress waiting = awaitPolicies(nowMs);
        if (waiting != null) {
            return waiting;
        }
        boolean isAtLimit = taken >= filter().limit();
        if (!isAtLimit && askForMore(nowMs)) {
            return Progress.WAITING;
        }
        if (isAtLimit || !sendRound(nowMs)) {
            return finishPass(nowMs);
        }
        return Progress.WAITING;
    }

    /** Asks for more candidates; returns true if a partition has yet to name its next ones. */
    private boolean askForMore(long nowMs) {
        int limit = (int) Math.max(1, Math.min(PAGES / context.partitions(), filter().limit()));
        for (int partition : pages.toAsk()) {
            send(partition, Errand.Step.GATHER, new Gather(request, pages.last(partition), limit), nowMs);
        }
        return pages.isWaiting();
    }

    /** Sends the oldest of all candidates to their partitions; returns false if there are none. */
    private boolean sendRound(long nowMs) {
        Map<Integer, List<String>> streams = pages.takeOldest(filter().limit() - taken);
        PolicyEdition awaited = context.view().get().reflected();
        round++;
        waitsFor = new TreeSet<>(streams.keySet());
        outstanding = streams.size();
        streams.forEach((partition, names) -> {
            CarryOut order = new CarryOut(request, names, isCounting, round, mostDeletes(partition), awaited);
            send(partition, Errand.Step.CARRY_OUT, order, nowMs);
        });
        return outstanding > 0;
    }

    /** Returns the largest number of events that may go from the partition in a deleting round; null for no limit. */
    private @Nullable Long mostDeletes(int partition) {
        boolean isLimited = !isCounting && request.maxDeletes() != null;
        return isLimited ? (Long) Math.max(0, deletes.getOrDefault(partition, 0L)) : null;
    }

    private Progress finishPass(long nowMs) {
        Long max = request.maxDeletes();
        if (isCounting && max != null && counts.eventsDeleted() > max) {
            endSearches(nowMs);
            String detail = StreamRefusals.tooMany(counts.eventsDeleted(), max);
            reply.refused(request, Refusal.TOO_MANY, detail, Outcome.nothing(), nowMs);
            return Progress.DONE;
        }
        if (isCounting && !request.isDryRun()) {
            isCounting = false;
            allow(max == null ? 0 : max - counts.eventsDeleted());
            pages.clear();
            missing.clear();
            counts = Deleted.NOTHING;
            taken = 0;
            return Progress.MORE;
        }
        endSearches(nowMs);
        reply.done(request, detail(), counts, plan(tally, nowMs, nowMs), nowMs);
        return Progress.DONE;
    }

    /** Lets all partitions forget the streams that the command has taken. */
    private void endSearches(long nowMs) {
        for (int partition = 0; partition < context.partitions(); partition++) {
            send(partition, Errand.Step.END_SEARCH, new EndSearch(), nowMs);
        }
    }

    /** Lets each partition delete some more events than counted: streams may have grown since, or become candidates. */
    private void allow(long left) {
        for (int partition = 0; partition < context.partitions(); partition++) {
            deletes.merge(partition, left / context.partitions(), Long::sum);
        }
    }

    @Override
    public void end(Refusal why, String problem, long nowMs) {
        if (outstanding == 0) {
            endSearches(nowMs);
        }
        if (isCounting) {
            reply.refusedBefore(request, why, problem, counts.predicted(), nowMs);
        } else if (outstanding > 0) {
            reply.brokenOff(request, why, problem, counts, nowMs);
        } else {
            reply.refused(request, why, problem, counts, nowMs);
        }
    }

    @Override
    public Object state() {
        List<Integer> awaited = List.copyOf(waitsFor);
        return new State(
                request,
                pages.all(),
                counts,
                taken,
                outstanding,
                awaited,
                round,
                isCounting,
                deletes,
                List.copyOf(missing),
                tally,
                awaited());
    }
}
