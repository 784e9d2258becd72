package dev.ebb.wire.policies;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.ebb.domain.policy.Hold;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hold in force. Unknown values are left out.
 *
 * @param caseId the name of the case
 * @param covers the scope that the hold covers
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record HoldView(
        @JsonProperty("case") String caseId,
        String covers,
        @Nullable String reason,
        @Nullable String placedBy,
        @Nullable Instant placedAt) {

    /** Lists the holds in force. */
    public static final Read<Read.All, All> LIST =
            new Read<>("/v1/holds", "Lists the holds in force.", Read.All.class, All.class);

    /** Shows the hold of a case. */
    public static final Read<OfCase, HoldView> SHOW =
            new Read<>("/v1/holds/{case}", "Shows the hold of a case.", OfCase.class, HoldView.class);

    /** The case of a hold. */
    public record OfCase(
            @Parameter(value = "The case of the hold.", name = "case")
            String caseId) {}

    public static HoldView of(Hold hold) {
        return new HoldView(
                hold.caseId(),
                hold.covers().toString(),
                hold.reason(),
                hold.placedBy(),
                hold.placedAtMs() > 0 ? Instant.ofEpochMilli(hold.placedAtMs()) : null);
    }

    /** All holds in force, and the version of the policies in force. */
    public record All(long version, List<HoldView> holds) {}
}
