package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A policy is new until it has deleted for a while, however long it has been in force (T-1). */
@Tag("T-1")
class PolicyProvesItselfByDeletingTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long DAY_MS = 24 * HOUR_MS;

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void age(long ms) {
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(ms))
                .set(PolicyField.UNDO, Limit.of(HOUR_MS))
                .build());
    }

    @Test
    void shouldKeepWhatAPolicyTakesFirstAfterDays() {
        // given three days that were to be three years
        age(3 * DAY_MS);
        fixture.event(event("orders/1", "a"));
        fixture.event(event("orders/2", "b"));

        // when
        fixture.advance(3 * DAY_MS + 1000);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(2);
    }

    /** Caps that take events all the time must not prove an age that has taken none yet. */
    @Test
    void shouldProveEachCauseByItself() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(3 * DAY_MS))
                .maxCount(Limit.of(1))
                .set(PolicyField.UNDO, Limit.of(HOUR_MS))
                .build());
        fixture.event(event("orders/1", "a"));
        fixture.event(event("orders/1", "b"));
        fixture.advance(2 * DAY_MS);
        int before = fixture.trash.size();

        // when
        fixture.advance(DAY_MS + 1000);

        // then
        assertThat(before).isOne();
        assertThat(fixture.trash).hasSize(2);
    }

    @Test
    void shouldKnowAfterARestartSinceWhenItDeletes() {
        // given
        age(DAY_MS);
        fixture.event(event("orders/1", "a"));
        fixture.advance(DAY_MS + 1000);
        fixture.event(event("orders/1", "b"));

        // when
        fixture.restart();
        fixture.advance(DAY_MS + 1000);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(1);
    }

    @Test
    void shouldProveItselfAnewAfterAChange() {
        // given
        age(DAY_MS);
        fixture.event(event("orders/1", "a"));
        fixture.advance(2 * DAY_MS);
        fixture.event(event("orders/1", "b"));

        // when
        age(DAY_MS / 2);
        fixture.advance(DAY_MS);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(2);
    }

    @Test
    void shouldProveItselfInEachNamespace() {
        // given
        age(DAY_MS);
        fixture.event(event("orders/1", "a"));
        fixture.advance(2 * DAY_MS);
        fixture.event(event("mail/1", "b"));
        fixture.event(event("orders/1", "c"));
        int before = fixture.trash.size();

        // when
        fixture.advance(DAY_MS + 1000);

        // then
        assertThat(fixture.trash).hasSize(before + 1);
        assertThat(new String(fixture.trash.get(before).key())).contains("mail/1");
    }
}
