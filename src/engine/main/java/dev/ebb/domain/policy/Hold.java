package dev.ebb.domain.policy;

import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.event.StreamName;

/**
 * A hold, which keeps everything that it covers until it is released (M-18).
 *
 * @param caseId the case for which it was placed; follows the rules of a stream name
 * @param covers the scope that it covers: a stream, a namespace or {@code *}
 * @param reason the reason for it; empty if unknown
 * @param placedBy the person who placed it; empty if unknown
 * @param placedAtMs the time at which it was placed, epoch milliseconds; 0 if not known yet
 */
public record Hold(String caseId, Scope covers, String reason, String placedBy, long placedAtMs) {

    /** @throws IllegalArgumentException if the case is not a valid name, or the scope is a pattern */
    public Hold {
        if (NameRule.problem(caseId) != null) {
            throw new IllegalArgumentException("the case of a hold " + NameRule.problem(caseId));
        }
        if (covers.kind() == Scope.Kind.PATTERN) {
            throw new IllegalArgumentException("a hold covers a stream, a namespace or *, not " + covers);
        }
    }

    /** Returns the key of its record. */
    public PolicyKey key() {
        return PolicyKey.ofHold(caseId);
    }

    /** Returns this hold, with the given author and time of placing where it does not name its own. */
    public Hold placed(String by, long atMs) {
        return new Hold(
                caseId, covers, reason, placedBy.isEmpty() ? by : placedBy, placedAtMs == 0 ? atMs : placedAtMs);
    }

    /** Returns true if the hold covers the stream. */
    public boolean isOn(StreamName stream) {
        return switch (covers.kind()) {
            case STREAM -> covers.name().equals(stream.value());
            case NAMESPACE -> covers.name().equals(stream.namespace());
            default -> true;
        };
    }
}
