package dev.ebb.topology.gate;

import dev.ebb.domain.policy.change.BrakeLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions of the policy gate to the partitions: how much a change of policies would delete at once or soon (O-8). */
public interface Assessments {

    /** Returns true if changes are assessed at all. */
    boolean isOn();

    /** Returns the number of partitions that answer. */
    int partitions();

    /** Returns the limits on deletes without a confirmation. */
    BrakeLimits limits();

    /** Returns the size of the record that carries the request, in bytes. */
    int bytes(Request request);

    /** Returns the size of the largest record that can be sent, in bytes. */
    int maxBytes();

    /** Sends the request to every partition. Never blocks; the answers come to the gate as records. */
    void ask(Request request);

    /**
     * Question to the partitions.
     *
     * @param assessmentId the id that an answer must name
     * @param limit the largest number of due events that a partition counts
     * @param changes the whole change
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
