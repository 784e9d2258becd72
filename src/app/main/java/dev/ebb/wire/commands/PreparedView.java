package dev.ebb.wire.commands;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Steps taken before an undo in the same act; they remain in force, however the undo ends.
 *
 * @param holds the holds that were placed, each over one stream; empty if none was
 * @param policy the policy, or {@code hold:<case>}, that was put back; null if none was
 * @param policyVersion version of the policies from which all these steps are in force
 */
public record PreparedView(List<Placed> holds, @Nullable String policy, long policyVersion) {

    /**
     * A hold that was placed.
     *
     * @param holdCase its case
     * @param covers the scope that it covers
     */
    public record Placed(String holdCase, String covers) {}

    /** Returns a description of the steps, for people; without a full stop. */
    public String text() {
        return Stream.of(holdsText(), policy == null ? "" : policy + " is in force again as it was before the change")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private String holdsText() {
        if (holds.isEmpty()) {
            return "";
        }
        Placed first = holds.get(0);
        if (holds.size() == 1) {
            return "the hold " + first.holdCase() + " over " + first.covers() + " stays in force: 'ebb hold release "
                    + first.holdCase() + "' ends it";
        }
        return "the " + holds.size() + " holds " + first.holdCase() + " to "
                + holds.get(holds.size() - 1).holdCase() + ", each over one stream, stay in force: 'ebb hold release'"
                + " ends each, and 'ebb hold list' shows them";
    }
}
