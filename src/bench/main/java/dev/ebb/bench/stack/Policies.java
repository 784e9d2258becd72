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

    /** Nothing is due by it; late events go before others that are stored already. */
    public static final RetentionPolicy MONTH_FROM_OCCURRED =
            settled(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());

    public static final RetentionPolicy KEEP =
            MONTH_FROM_OCCURRED.toBuilder().maxAge(Limit.NONE).build();

    /** Everything that has happened is older. */
    public static final RetentionPolicy DROP =
            MONTH_FROM_OCCURRED.toBuilder().maxAge(Limit.of(1)).build();

    /** Likewise, as it is on its first day: each delete can be undone. */
    public static final RetentionPolicy DROP_UNDOABLE =
            DROP.toBuilder().set(PolicyField.UNDO, null).build();

    /** Likewise, and every delete is final at once. */
    public static final RetentionPolicy DROP_FOR_GOOD =
            DROP.toBuilder().set(PolicyField.UNDO, Limit.NONE).build();

    private final Lane lane;

    public Policies(Lane lane) {
        this.lane = lane;
    }

    /**
     * The policy as it is on all days but its first: it has proved itself before the first delete, so short is the time of its
     * undo, and nothing goes through the trash.
     */
    public static RetentionPolicy settled(RetentionPolicy policy) {
        return policy.toBuilder().set(PolicyField.UNDO, Limit.of(1)).build();
    }

    /**
     * Past the gate, so that it is in force before the first event and no run begins with a change of policies. Its version
     * is the first offset, so the topic of policies gets a record that says nothing, and later versions are greater.
     */
    public void putInForce(RetentionPolicy policy) throws InterruptedException {
        send(
                lane.topics().policiesAccepted(),
                policy.scope().toString(),
                lane.records().policy(policy));
        send(lane.topics().policies(), PolicyKey.ofHold("NONE").toString(), null);
    }

    /** Sends the policy as people do. One that would delete too much for the brake must be confirmed. */
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
