package dev.ebb.domain.policy;

/**
 * A policy in force and its version.
 *
 * @param policy the policy as declared
 * @param version the offset of the record on the topic of accepted policies; grows with every change
 * @param sinceMs the time at which the gate accepted this version, epoch milliseconds; {@link #NOT_YET} before
 */
public record VersionedPolicy(RetentionPolicy policy, long version, long sinceMs) {

    /** The time of a policy that is not in force: one of a plan, or of a file that is being assessed. */
    public static final long NOT_YET = 0;
}
