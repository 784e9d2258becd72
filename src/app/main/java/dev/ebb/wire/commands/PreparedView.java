package dev.ebb.wire.commands;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was done before an undo in the same act; it stands, however the undo ends.
 *
 * @param holdCase the case of the hold that was placed; null if none was
 * @param covers the scope that the hold covers; null if none was placed
 * @param policy the policy, or {@code hold:<case>}, that is again as it was; null if none was put back
 * @param policyVersion version of the policies from which all that is so
 */
public record PreparedView(
        @Nullable String holdCase,
        @Nullable String covers,
        @Nullable String policy,
        long policyVersion) {

    /** What stands, for people; without a full stop. */
    public String text() {
        return Stream.of(
                        holdCase == null
                                ? ""
                                : "the hold " + holdCase + " over " + covers + " stands: 'ebb hold release " + holdCase
                                        + "' ends it",
                        policy == null ? "" : policy + " is in force again as it was before the change")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
    }
}
