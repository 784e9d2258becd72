package dev.ebb.topology.wire;

/**
 * The names of all topics.
 *
 * @param prefix stands before each name, for example {@code ebb.}
 * @param partitions how many partitions the topics have that are partitioned like the events, at least 1
 */
public record Topics(String prefix, int partitions) {

    public Topics {
        if (partitions < 1) {
            throw new IllegalArgumentException("there must be at least one partition, was " + partitions);
        }
    }

    /** What producers write: events, updates of events and of executions. */
    public String events() {
        return prefix + "events";
    }

    /** Records of {@link #events()} on their way to the right partition (O-21). */
    public String rekey() {
        return prefix + "rekey";
    }

    /** What people declare; compacted, one partition. */
    public String policies() {
        return prefix + "policies";
    }

    /** What is in force; compacted, one partition, written by the policy gate alone. */
    public String policiesAccepted() {
        return prefix + "policies.accepted";
    }

    /** The rows of the SQL table {@code event}; compacted, null deletes. */
    public String mirrorEvents() {
        return prefix + "mirror.events";
    }

    /** The rows of the SQL table {@code execution}; compacted, null deletes. */
    public String mirrorExecutions() {
        return prefix + "mirror.executions";
    }

    /** The rows of the SQL table {@code retention_policy}; compacted, null deletes. */
    public String mirrorPolicies() {
        return prefix + "mirror.policies";
    }

    /** The rows of the SQL table {@code retention_audit}. */
    public String mirrorAudit() {
        return prefix + "mirror.audit";
    }

    /** What was deleted and why, and what changed about policies. */
    public String audit() {
        return prefix + "audit";
    }

    /** What each sweep did. */
    public String reports() {
        return prefix + "reports";
    }

    /** What people ask for, and what the tasks ask each other for; partitioned like {@link #events()}. */
    public String commands() {
        return prefix + "commands";
    }

    /** What the partitions tell the policy gate: how much a change of policies would delete (O-8); one partition. */
    public String assessments() {
        return prefix + "assessments";
    }

    /** What became of commands, under their ids. */
    public String results() {
        return prefix + "results";
    }

    /** Deleted events as they were, where a policy asks for it. */
    public String archive() {
        return prefix + "archive";
    }

    /** Heartbeats of the instances, for the broker's time in the answers; one partition. */
    public String clock() {
        return prefix + "clock";
    }

    /** Records that cannot be used, unchanged, with the reason in their headers. */
    public String rejected() {
        return prefix + "rejected";
    }
}
