package dev.ebb.runtime;

import dev.ebb.api.NotReadyException;
import dev.ebb.api.PolicyAdmin;
import dev.ebb.api.UnavailableException;
import dev.ebb.domain.policy.PolicyBatch;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.topology.PolicyView;
import dev.ebb.topology.PolicyViews;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Sends changes of policies to their topic and reads what is in force from the view of this instance. */
final class KafkaPolicyAdmin implements PolicyAdmin {

    private static final Duration POLL = Duration.ofMillis(20);

    private final PolicyViews views;
    private final BooleanSupplier isRead;
    private final KafkaPolicyPublisher publisher;

    /** @param isRead whether the view has read what was in force when the instance started */
    KafkaPolicyAdmin(PolicyViews views, BooleanSupplier isRead, KafkaPolicyPublisher publisher) {
        this.views = views;
        this.isRead = isRead;
        this.publisher = publisher;
    }

    @Override
    public PolicySet current() {
        if (!isRead.getAsBoolean()) {
            throw new NotReadyException("the policies in force are not known yet", Duration.ofSeconds(1));
        }
        return views.current().policies();
    }

    @Override
    public Outcome publish(PolicyBatch change, Duration wait) {
        long offset = send(change);
        long deadline = System.nanoTime() + wait.toNanos();
        PolicyView view = views.current();
        while (view.sourceOffset() < offset && System.nanoTime() - deadline < 0) {
            pause();
            view = views.current();
        }
        boolean isInForce = view.sourceOffset() >= offset && change.isIn(view.policies());
        return new Outcome(isInForce, view.policies().version());
    }

    private long send(PolicyBatch change) {
        try {
            return publisher.publish(change);
        } catch (KafkaException e) {
            throw new UnavailableException("the broker did not take the policies; nothing has changed", e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL.toMillis());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
