package dev.ebb.wire.commands;

import dev.ebb.wire.Meaning;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Steps taken before an undo in the same act; they remain in force, however the undo ends. */
public record PreparedView(
        @Meaning("The placed holds, each over one stream; empty if none was.")
        List<Placed> holds,

        @Meaning("The policy, or hold:<case>, that was put back as it was before; null if none was.") @Nullable
        String policy,

        @Meaning("The version of the policies in which these steps are in force.")
        long policyVersion) {

    /** A hold that was placed over a stream to which an undo brings something back. */
    public record Placed(
            @Meaning("The case of the hold.") String holdCase,
            @Meaning("The scope that it covers.") String covers) {}

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
                    + first.holdCase() + " --reason …' ends it";
        }
        return "the " + holds.size() + " holds " + first.holdCase() + " to "
                + holds.get(holds.size() - 1).holdCase()
                + ", each over one stream, stay in force: 'ebb hold release CASE --reason …'"
                + " ends each, and 'ebb hold list' shows them";
    }
}
