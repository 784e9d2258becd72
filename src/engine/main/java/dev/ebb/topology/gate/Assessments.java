package dev.ebb.topology.gate;

import dev.ebb.domain.policy.change.BrakeLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the partitions how much a change of policies would make due at once (O-8). Called by the policy gate alone. */
public interface Assessments {

    /** Whether changes are assessed at all. */
    boolean isOn();

    /** How many partitions answer. */
    int partitions();

    /** How much may go without a confirmation. */
    BrakeLimits limits();

    /** How big the record is by which the request is sent, in bytes. */
    int bytes(Request request);

    /** The biggest record that can be sent, in bytes. */
    int maxBytes();

    /** Sends the request to every partition. Never blocks; the answers come to the gate as records. */
    void ask(Request request);

    /**
     * A question.
     *
     * @param assessmentId which an answer must name
     * @param limit how many events that would be due a partition counts at most
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
