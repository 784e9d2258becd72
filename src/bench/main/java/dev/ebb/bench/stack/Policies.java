package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Writes the policies of a lane. */
public final class Policies {

    /** A policy by which nothing is due; late events go before others that are already stored. */
    public static final RetentionPolicy MONTH_FROM_OCCURRED =
            settled(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());

    public static final RetentionPolicy KEEP =
            MONTH_FROM_OCCURRED.toBuilder().maxAge(Limit.NONE).build();

    /** A policy by which every event that has occurred is too old. */
    public static final RetentionPolicy DROP =
            MONTH_FROM_OCCURRED.toBuilder().maxAge(Limit.of(1)).build();

    /** The same policy on its first day: each delete can be undone. */
    public static final RetentionPolicy DROP_UNDOABLE =
            DROP.toBuilder().set(PolicyField.UNDO, null).build();

    /** The same policy with deletes that are final at once. */
    public static final RetentionPolicy DROP_FOR_GOOD =
            DROP.toBuilder().set(PolicyField.UNDO, Limit.NONE).build();

    private final Lane lane;

    public Policies(Lane lane) {
        this.lane = lane;
    }

    /**
     * Returns the policy as it is after its first day: its undo is so short that it has proved itself with the first
     * slice of deletes, and nothing else goes through the trash.
     */
    public static RetentionPolicy settled(RetentionPolicy policy) {
        return policy.toBuilder().set(PolicyField.UNDO, Limit.of(1)).build();
    }

    /**
     * Puts the policy in force past the gate, before the first event, so that no run begins with a change of policies.
     * Its version is the first offset; a record without content on the topic of policies makes later versions greater.
     */
    public void putInForce(RetentionPolicy policy) throws InterruptedException {
        send(
                lane.topics().policiesAccepted(),
                policy.scope().toString(),
                lane.records().policy(policy));
        send(lane.topics().policies(), PolicyKey.ofHold("NONE").toString(), null);
    }

    /** Sends the policy in the usual way. A policy that would delete too much for the brake must be confirmed. */
    public void declare(RetentionPolicy policy) throws InterruptedException {
        send(lane.topics().policies(), policy.scope().toString(), lane.records().policy(policy));
    }

    public void place(Hold hold) throws InterruptedException {
        send(lane.topics().policies(), hold.key().toString(), lane.records().hold(hold));
    }

    public void release(Hold hold) throws InterruptedException {
        send(lane.topics().policies(), hold.key().toString(), null);
    }

    private void send(String topic, String key, byte @Nullable [] value) throws InterruptedException {
        try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
            producer.send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value))
                    .get();
        } catch (ExecutionException e) {
            throw new VoidRunException("the policy cannot be sent: " + e.getMessage(), e);
        }
    }
}
