package dev.ebb.topology.wire;

/** Names of the sinks and stores of the topology, by which processors forward records and find state. Stateless. */
public final class Nodes {

    /**
     * Store of the policy gate: waiting files, held-back changes, and how far the gate has announced the records that
     * it accepted.
     */
    public static final String GATE_STORE = "policy-gate";

    /** Store of the policies and holds in force. Each instance fills it at its start. */
    public static final String ACCEPTED_STORE = "policies-accepted";

    public static final String MIRROR_SINK = "mirror-sink";
    public static final String AUDIT_SINK = "audit-sink";
    public static final String AUDIT_MIRROR_SINK = "audit-mirror-sink";
    public static final String CHECKPOINTS_SINK = "checkpoints-sink";
    public static final String REPORTS_SINK = "reports-sink";
    public static final String REJECTED_SINK = "rejected-sink";
    public static final String REKEY_SINK = "rekey-sink";
    public static final String ARCHIVE_SINK = "archive-sink";
    public static final String TRASH_SINK = "trash-sink";
    public static final String EXECUTION_MIRROR_SINK = "execution-mirror-sink";
    public static final String RESULTS_SINK = "results-sink";
    public static final String COMMANDS_SINK = "commands-sink";
    public static final String ASSESSMENTS_SINK = "assessments-sink";
    /** Sink of the tombstones for the topics of other applications (F-6). */
    public static final String TOMBSTONES_SINK = "tombstones-sink";

    public static final String ACCEPTED_SINK = "policies-accepted-sink";
    public static final String POLICY_MIRROR_SINK = "policy-mirror-sink";
    public static final String POLICY_AUDIT_SINK = "policy-audit-sink";
    public static final String POLICY_AUDIT_MIRROR_SINK = "policy-audit-mirror-sink";
    public static final String POLICY_CHECKPOINTS_SINK = "policy-checkpoints-sink";
    public static final String POLICY_REJECTED_SINK = "policy-rejected-sink";
    public static final String SETTINGS_SINK = "settings-sink";
    public static final String QUESTIONS_SINK = "assessment-questions-sink";

    private Nodes() {}
}
