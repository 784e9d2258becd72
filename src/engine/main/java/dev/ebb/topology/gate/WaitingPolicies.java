package dev.ebb.topology.gate;

import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.time.Durations;
import dev.ebb.topology.gate.OpenQuestion.Asked;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Tells people which changes the brake holds back, and why. Not thread-safe. */
final class WaitingPolicies {

    /** Most silent partitions that are named: each mark repeats the names for each change that waits. */
    private static final int MOST_NAMED = 10;

    private final HeldChanges held;
    private final Assessments assessments;
    private final OpenQuestion question;

    WaitingPolicies(HeldChanges held, Assessments assessments, OpenQuestion question) {
        this.held = held;
        this.assessments = assessments;
        this.question = question;
    }

    /**
     * Returns the waiting changes, in their order: all that wait for a confirmation, and of those still to be assessed as
     * many as can be named beside them.
     */
    List<WaitingPolicy> list() {
        List<WaitingPolicy> waiting = new ArrayList<>();
        long left = assessments.maxBytes() - held.namingBytes();
        for (HeldBack change : held.all()) {
            left -= change.finding() == null ? ChangeSize.markBytes(change) : 0;
            if (change.finding() == null && left < 0) {
                continue;
            }
            String why = why(change);
            BrakeFinding finding = change.isOutdated() ? null : change.finding();
            for (GateRecord record : change.records()) {
                waiting.add(new WaitingPolicy(
                        record.policyKey(), change.version(), change.actor(), change.sinceMs(), why, finding));
            }
        }
        return waiting;
    }

    /** Returns the reason why no change of that version waits with that key for a confirmation. */
    String whyUnconfirmed(String key, long version) {
        return held.find(version)
                .map(change ->
                        "version " + version + " of " + key + " waits still: " + why(change) + onlyAsSeen(change))
                .orElse("no version " + version + " of " + key + " waits for a confirmation");
    }

    private static String onlyAsSeen(HeldBack change) {
        return isWhole(change) ? "" : "; list again what waits, and confirm what is left, or apply the file again";
    }

    private static boolean isWhole(HeldBack change) {
        return change.records().size() == change.recordsOfFile();
    }

    private String why(HeldBack change) {
        String left = change.records().size() + " of the " + change.recordsOfFile() + " records of its file are left; ";
        return (isWhole(change) ? "" : left) + ofCount(change);
    }

    private String ofCount(HeldBack change) {
        if (!change.isQueued()) {
            return "it " + change.finding() + soon() + "; " + waysOut(change);
        }
        return change.isOutdated()
                ? "with another change that has come into force it may delete more than was counted, and is counted anew: "
                        + whyUncounted(change)
                : whyUncounted(change);
    }

    private static String waysOut(HeldBack change) {
        return change.records().get(0).policyKey().isSettings()
                ? "confirm it, or set the former values in the configuration of all instances"
                : "confirm it, set another one, or withdraw it";
    }

    private String soon() {
        long horizonMs = assessments.limits().horizonMs();
        return horizonMs == 0 ? " at once" : " within " + Durations.format(horizonMs);
    }

    private String whyUncounted(HeldBack change) {
        Asked asked = question.asked();
        if (asked == null || !question.isAbout(change)) {
            return "it waits to be assessed";
        }
        return asked.silent().isEmpty() ? "it is being assessed" : silence(asked.silent());
    }

    private static String silence(List<Integer> partitions) {
        String names =
                partitions.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        int others = partitions.size() - MOST_NAMED;
        return (partitions.size() == 1 ? "partition " + names + " does" : "partitions " + names)
                + (others > 0 ? " and " + others + " more" : "")
                + (partitions.size() == 1 ? "" : " do")
                + " not say how much it would delete";
    }
}
