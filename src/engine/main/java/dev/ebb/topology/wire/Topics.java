package dev.ebb.topology.wire;

/**
 * Names of all topics.
 *
 * @param prefix the beginning of each name, for example {@code ebb.}
 * @param partitions number of partitions of the topics that are partitioned like the events, at least 1
 */
public record Topics(String prefix, int partitions) {

    public Topics {
        if (partitions < 1) {
            throw new IllegalArgumentException("there must be at least one partition, was " + partitions);
        }
    }

    /** Records of producers: events, updates of events and of executions. */
    public String events() {
        return prefix + "events";
    }

    /** Records of {@link #events()} on their way to the right partition (O-21). */
    public String rekey() {
        return prefix + "rekey";
    }

    /** Policies and holds as people declare them; compacted, one partition. */
    public String policies() {
        return prefix + "policies";
    }

    /** Policies and holds in force; compacted, one partition, written by the policy gate alone. */
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

    /** Audit of deletes, with their reasons, and of changes of policies. */
    public String audit() {
        return prefix + "audit";
    }

    /** Checkpoints of the Merkle trees over {@link #audit()}, partitioned like it. */
    public String checkpoints() {
        return prefix + "checkpoints";
    }

    /** Reports of sweeps. */
    public String reports() {
        return prefix + "reports";
    }

    /** Commands of people, and questions of the tasks to each other; partitioned like {@link #events()}. */
    public String commands() {
        return prefix + "commands";
    }

    /** Answers of the partitions to the policy gate on how much a change would delete (O-8); one partition. */
    public String assessments() {
        return prefix + "assessments";
    }

    /** Results of commands, keyed by command id. */
    public String results() {
        return prefix + "results";
    }

    /** Deleted events as they were, where a policy asks for it. */
    public String archive() {
        return prefix + "archive";
    }

    /** Deleted events for as long as they can be brought back, partitioned like {@link #events()}. */
    public String trash() {
        return prefix + "trash";
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
