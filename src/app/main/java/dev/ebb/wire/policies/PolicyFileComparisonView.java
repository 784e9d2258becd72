package dev.ebb.wire.policies;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.wire.ProblemView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Differences between a file of policies and holds and those in force.
 *
 * @param equal true if there are no differences
 * @param warnings oddities of the file that are no faults
 */
public record PolicyFileComparisonView(
        boolean equal,
        List<Difference> differences,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ProblemView.Fault> warnings) {

    /** The side that has the policy or hold. */
    public enum Kind {
        /** In the file only: the record would be set. */
        ADDED,
        /** On both sides, with different contents. */
        CHANGED,
        /** In force only: a policy would be removed with {@code prune}, a hold never. */
        MISSING
    }

    /**
     * One policy or hold that differs.
     *
     * @param key the scope, or {@code hold:<case>}
     */
    public record Difference(String key, Kind kind, List<FieldDifference> fields) {}

    /** A field that differs; null where it is not set. */
    public record FieldDifference(
            String field,
            @Nullable JsonNode inForce,
            @Nullable JsonNode inFile) {}
}
