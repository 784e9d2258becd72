package dev.ebb.runtime.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.port.NotReadyException;
import dev.ebb.runtime.TextWriter;
import dev.ebb.topology.policy.PolicyViews;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-17")
class KafkaPolicyAdminTest {

    private static final String DRAINED = "this instance is drained";

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final PolicyViews views = new PolicyViews(new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE), null);
    private String absence;
    private final KafkaPolicyAdmin admin = new KafkaPolicyAdmin(
            views,
            () -> absence,
            new KafkaPolicyPublisher(() -> producer, () -> producer, "ebb.policies", 1_048_576, new TextWriter()),
            (version, wait) -> true,
            Duration.ofDays(7));

    @Test
    void shouldAnswerNothingAfterTheInstanceLeft() {
        // given
        assertThat(admin.current().policies()).isEmpty();
        RetentionPolicy policy = RetentionPolicy.of(Scope.ALL).confirmed(true).build();
        WaitingPolicy waiting = new WaitingPolicy(PolicyKey.of(Scope.ALL), 1, "", 0, "", null);

        // when
        absence = DRAINED;

        // then
        assertNotReady(admin::current);
        assertNotReady(admin::waiting);
        assertNotReady(() -> admin.publish(PolicyBatch.ofPolicies(List.of(policy)), Duration.ZERO));
        assertNotReady(() -> admin.confirm(waiting, 1, "", "", Duration.ZERO));
        assertThat(producer.history()).as("records sent").isEmpty();
    }

    private static void assertNotReady(ThrowingCallable question) {
        assertThatThrownBy(question).isInstanceOf(NotReadyException.class).hasMessage(DRAINED);
    }
}
