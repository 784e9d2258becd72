package dev.ebb.topology.gate;

import dev.ebb.domain.policy.change.BrakeLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the partitions how much a change of policies would make due at once (O-8). Called by the policy gate alone. */
public interface Assessments {

    /** Returns true if changes are assessed at all. */
    boolean isOn();

    /** Number of partitions that answer. */
    int partitions();

    /** Limits on deletes without a confirmation. */
    BrakeLimits limits();

    /** Size of the record by which the request is sent, in bytes. */
    int bytes(Request request);

    /** The biggest record that can be sent, in bytes. */
    int maxBytes();

    /** Sends the request to every partition. Never blocks; the answers come to the gate as records. */
    void ask(Request request);

    /**
     * A question.
     *
     * @param assessmentId the id that an answer must name
     * @param limit the most events that would be due that a partition counts
     * @param changes the change, all of it together
     */
    record Request(String assessmentId, long limit, List<Change> changes) {

        public Request {
            changes = List.copyOf(changes);
        }
    }

    /**
     * One policy or hold of the change.
     *
     * @param key the scope, or {@code hold:<case>}
     * @param value the record; null removes
     */
    record Change(String key, byte @Nullable [] value) {}
}
