package dev.ebb.wire.commands;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Steps taken before an undo in the same act; they remain in force, however the undo ends.
 *
 * @param holdCase the case of the hold that was placed; null if none was
 * @param covers the scope that the hold covers; null if none was placed
 * @param policy the policy, or {@code hold:<case>}, that was put back; null if none was
 * @param policyVersion version of the policies from which all these steps are in force
 */
public record PreparedView(
        @Nullable String holdCase,
        @Nullable String covers,
        @Nullable String policy,
        long policyVersion) {

    /** Returns a description of the steps, for people; without a full stop. */
    public String text() {
        return Stream.of(
                        holdCase == null
                                ? ""
                                : "the hold " + holdCase + " over " + covers + " stays in force: 'ebb hold release "
                                        + holdCase + "' ends it",
                        policy == null ? "" : policy + " is in force again as it was before the change")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
    }
}
