package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreFixture.Removal;
import dev.ebb.store.arrival.Arrivals;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Changes of stored events. */
@Tag("M-2")
class UpdateTest {

    private final StoreFixture fixture = new StoreFixture();

    @AfterEach
    void check() {
        fixture.check();
    }

    @Test
    void shouldKeepWhatItDoesNotName() {
        // given
        Event before = event("s", "a")
                .status("pending")
                .occurredAt(T0 - 5)
                .ttlSeconds(100)
                .correlationId("c")
                .contentType("text/plain")
                .metadata(Map.of("k", "v"))
                .payloadBytes(9)
                .build();
        fixture.event(before, T0);

        // when
        boolean isDone = fixture.update(update("done?", null, null, null), T0 + 1);

        // then
        Event after = fixture.find("s", "a").event();
        assertThat(isDone).isTrue();
        assertThat(after.status()).isEqualTo("done?");
        assertThat(Arrivals.with(after, "pending", T0 - 5, null, after.ttl(), after.metadata()))
                .isEqualTo(before);
    }

    @Test
    void shouldReplaceAllThreeFieldsOfTheTtlAtOnce() {
        // given
        fixture.event(event("s", "a").ttlSeconds(100));

        // when
        fixture.update(update(null, null, OwnTtl.of(null, T0 + 7, false), null), T0);

        // then
        assertThat(fixture.find("s", "a").ttl()).isEqualTo(OwnTtl.of(null, T0 + 7, false));
    }

    @Test
    void shouldReplaceMetadataWhole() {
        // given
        fixture.event(event("s", "a").metadata(Map.of("k", "v", "other", "x")));

        // when
        fixture.update(update(null, null, null, Map.of("k", "w")), T0);

        // then
        assertThat(fixture.find("s", "a").event().metadata()).isEqualTo(Map.of("k", "w"));
    }

    @Test
    void shouldMakeAPlainFactOfAnEmptyStatus() {
        // given
        fixture.event(event("s", "a").status("pending"));

        // when
        fixture.update(update("", null, null, null), T0 + 3);

        // then
        assertThat(fixture.find("s", "a").event().status()).isNull();
        assertThat(fixture.find("s", "a").isProtected()).isFalse();
    }

    @Test
    void shouldChangeNothingForAnEventThatIsNotThere() {
        // given
        fixture.event(event("s", "a"));
        var before = fixture.events.contents().keySet();

        // when
        boolean isUnknownId =
                fixture.update(new EventUpdate(new StreamName("s"), new EventId("b"), "pending", null, null, null), T0);
        boolean isUnknownStream =
                fixture.update(new EventUpdate(new StreamName("t"), new EventId("a"), "pending", null, null, null), T0);

        // then
        assertThat(isUnknownId || isUnknownStream).isFalse();
        assertThat(fixture.events.contents().keySet()).isEqualTo(before);
        assertThat(StoreProbe.streams(fixture.store)).hasSize(1);
    }

    @Test
    void shouldNotReachAnEventFromTheMillisecondItIsDue() {
        // given
        fixture.event(event("s", "a").ttlSeconds(10));

        // when
        fixture.nowMs = T0 + 10_000;
        boolean isInTime = fixture.update(update(null, null, null, Map.of("k", "v")), T0);
        fixture.nowMs = T0 + 10_001;
        boolean isLate = fixture.update(update("pending", null, null, null), T0);

        // then
        assertThat(isInTime).isTrue();
        assertThat(isLate).isFalse();
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("a");
    }

    @Test
    @Tag("M-4")
    void shouldForgetTheCompletionOfAnEventThatIsProtectedAgain() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build());
        fixture.event(event("s", "a").completedAt(T0 - 900));

        // when
        fixture.update(update("running", null, null, null), T0 + 10);
        fixture.nowMs += 1_000_000;

        // then
        assertThat(fixture.find("s", "a").event().completedAt()).isNull();
        assertThat(fixture.sweep()).isEmpty();
        assertThat(fixture.usage("s").protectedEvents()).isEqualTo(1);

        // when it is terminal again
        fixture.update(update("failed", null, null, null), T0 + 999);

        // then
        assertThat(fixture.find("s", "a").event().completedAt()).isEqualTo(T0 + 999);
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("a");
    }

    @Test
    void shouldKeepTheCompletionOfATerminalEventThatStaysTerminal() {
        // given
        fixture.event(event("s", "a").status("completed").completedAt(T0 - 9));

        // when
        fixture.update(update("read", null, null, null), T0 + 50);

        // then
        assertThat(fixture.find("s", "a").event().completedAt()).isEqualTo(T0 - 9);
    }

    @Test
    void shouldChangeNeitherPlaceNorStorageTime() {
        // given
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));
        fixture.nowMs += 500;

        // when
        fixture.update(update("read", T0 + 1, null, Map.of()), T0);

        // then
        assertThat(fixture.find("s", "a").storedAt()).isEqualTo(T0);
        assertThat(fixture.ids("s")).containsExactly("a", "b");
    }

    private static EventUpdate update(String status, Long completedAt, OwnTtl ttl, Map<String, String> metadata) {
        return new EventUpdate(new StreamName("s"), new EventId("a"), status, completedAt, ttl, metadata);
    }
}
