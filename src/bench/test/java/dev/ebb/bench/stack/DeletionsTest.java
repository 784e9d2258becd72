package dev.ebb.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeletionsTest {

    private static final StreamName STREAM = new StreamName("s");

    private final List<Long> latenesses = new ArrayList<>();
    private final Deletions deletions = new Deletions(latenesses::add);
    private final Expirations expirations = deletions.expirations();

    @Test
    void shouldWaitForTheLastDeletion() throws InterruptedException {
        // given
        List<String> told = new ArrayList<>();
        expirations.expect(2);
        expirations.onFirst(() -> told.add("first"));
        expirations.onLast(() -> told.add("last"));

        // when
        delete(5);
        assertThatExceptionOfType(VoidRunException.class)
                .isThrownBy(() -> expirations.await(Duration.ofMillis(20)))
                .withMessageStartingWith("1 of 2 events");
        delete(7);

        // then
        expirations.await(Duration.ofMillis(20));
        assertThat(told).containsExactly("first", "last");
        assertThat(latenesses).containsExactly(5L, 7L);
        assertThat(expirations.firstNanos()).isPositive();
    }

    @Test
    void shouldNotWaitForNothing() throws InterruptedException {
        expirations.expect(0);
        expirations.await(Duration.ofMillis(1));
    }

    @Test
    void shouldNotWaitForWhatHasFailed() {
        // when
        expirations.expect(1);
        expirations.failed(new IllegalStateException("broken"));

        // then
        assertThatExceptionOfType(VoidRunException.class)
                .isThrownBy(() -> expirations.await(Duration.ofMinutes(1)))
                .withMessageContaining("broken");
    }

    private void delete(long latenessMs) {
        var policy = PolicySet.empty(new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE))
                .effective(STREAM);
        deletions.deleted(
                STREAM, RemovalCause.MAX_AGE, RemovalRule.of(RemovalCause.MAX_AGE, policy, 1), 100, latenessMs);
    }
}
