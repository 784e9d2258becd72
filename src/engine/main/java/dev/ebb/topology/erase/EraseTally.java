package dev.ebb.topology.erase;

import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.erase.EraseFindings;
import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.search.FoundEvents;
import dev.ebb.store.search.FoundFate;
import dev.ebb.store.search.Match;
import dev.ebb.topology.assess.NamespaceLosses;
import dev.ebb.topology.plan.PlanWriter;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Sum of the fates of all events of an erasure in one partition, stream by stream, so that each stream counts once. A
 * dry run lists its events here. The tally starts over after a crash. Not thread-safe.
 */
final class EraseTally {

    private static final int PAGE = 256;

    private final EraseTask task;
    private final FoundEvents found;
    private final @Nullable PlanWriter list;
    private final Map<LeftOut, Long> left = new EnumMap<>(LeftOut.class);
    private final Set<String> cases = new TreeSet<>();
    private final Set<Refusal> skipped = EnumSet.noneOf(Refusal.class);
    private @Nullable Match last;
    private boolean hasErased;
    private Deleted counts = Deleted.NOTHING;
    private PlanTally plan = PlanTally.NOTHING;
    private final NamespaceLosses losses = new NamespaceLosses(Long.MAX_VALUE);
    private long copies;

    public EraseTally(EraseTask task, FoundEvents found) {
        this.task = task;
        this.found = found;
        this.list = task.request().makesPlan() && !task.isCount()
                ? new PlanWriter(task.store(), task.request().commandId(), 0)
                : null;
    }

    /** Continues as far as the budget goes; returns true at the end. */
    public boolean slice(long nowMs, SweepBudget budget) {
        if (list != null) {
            list.beginSlice(nowMs);
        }
        while (!budget.isSpent()) {
            List<FoundEvents.Entry> page = found.page(last, PAGE);
            for (FoundEvents.Entry entry : page) {
                add(entry.event(), entry.fate());
                budget.spendStep();
            }
            if (page.size() < PAGE) {
                endStream();
                plan = list == null ? plan : list.finish();
                return true;
            }
        }
        return false;
    }

    private void add(Match event, FoundFate fate) {
        Match before = last;
        if (before != null && !before.stream().equals(event.stream())) {
            endStream();
        }
        last = event;
        hasErased |= fate.erased() > 0;
        losses.add(event.stream().namespace(), fate.erased());
        counts = counts.plus(Deleted.events(fate.erased(), fate.bytes()).withProtected(fate.protectedErased()));
        copies += Integer.bitCount(fate.copiesErased());
        int copiesHeld = Integer.bitCount(fate.copiesHeld());
        if (copiesHeld > 0) {
            left(event.stream(), LeftOut.HELD, copiesHeld);
        }
        LeftOut reason = fate.left();
        if (reason != null) {
            left(event.stream(), reason, 1);
        }
        plan(event, fate);
    }

    private void plan(Match event, FoundFate fate) {
        if (list != null) {
            if (fate.hasGone()) {
                list.add(new PlannedItem(
                        event.stream(), PlannedItem.NO_SID, event.id(), event.storedAt(), task.cause()));
            }
        } else if (task.isPlanned()) {
            plan = plan.plus(
                    fate.hasGone()
                            ? PlanTally.done(PlanDigest.of(event.stream(), event.id(), event.storedAt()))
                            : PlanTally.left(reason(fate), 1));
        }
    }

    /** Returns the reason why an event of the plan stays. */
    private static LeftOut reason(FoundFate fate) {
        if (fate.copiesHeld() != 0 || fate.left() == null) {
            return LeftOut.HELD;
        }
        return fate.left();
    }

    private void left(StreamName stream, LeftOut reason, long number) {
        left.merge(reason, number, Long::sum);
        Refusal refusal = refusal(reason);
        if (refusal != null) {
            skipped.add(refusal);
        }
        if (reason == LeftOut.HELD) {
            task.policies().get().holdsOn(stream).stream()
                    .map(Hold::caseId)
                    .limit(EraseFindings.MOST_CASES - cases.size())
                    .forEach(cases::add);
        }
    }

    /** Returns the reason as one for a stream; null if it says nothing about a stream. */
    private static @Nullable Refusal refusal(LeftOut reason) {
        return switch (reason) {
            case HELD -> Refusal.HELD;
            case PROTECTED -> Refusal.PROTECTED;
            case NOT_READY -> Refusal.NOT_READY;
            case FAILED -> Refusal.FAILED;
            case GONE, CHANGED, KEPT, UNCOUNTED -> null;
        };
    }

    private void endStream() {
        boolean isProcessed = hasErased || !skipped.isEmpty();
        Map<Refusal, Long> reasons = new EnumMap<>(Refusal.class);
        skipped.forEach(reason -> reasons.put(reason, 1L));
        counts = counts.plus(Deleted.of(isProcessed ? 1 : 0, 0, 0, 0).withSkipped(reasons));
        hasErased = false;
        skipped.clear();
    }

    /** Returns the events of the store that would go, beside those that are stored. */
    public BrakeFinding brake() {
        Map<String, NamespaceTotals> totals = task.store().namespaceTotals();
        long stored = totals.entrySet().stream()
                .filter(namespace -> task.isAbout(namespace.getKey()))
                .mapToLong(namespace -> namespace.getValue().events())
                .sum();
        return new BrakeFinding(losses.sum(), false, stored, losses.list(totals, task::isAbout));
    }

    /** Returns all counts. */
    public Deleted counts() {
        return counts;
    }

    /** Returns the tally of the events that are listed, or of those of the plan that went or stayed. */
    public @Nullable PlanTally plan() {
        return list == null && !task.isPlanned() ? null : plan;
    }

    /**
     * Returns all findings.
     *
     * @param damaged number of events that could not be read
     * @param rest further bytes that could not be looked at
     */
    public EraseFindings findings(long damaged, EraseRest rest) {
        return new EraseFindings(copies, damaged, left, List.copyOf(cases), rest);
    }
}
