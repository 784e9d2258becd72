package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.serde.Decoded;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records whose schema is not known yet wait in the state, and nothing waits for them but their own stream. */
@Tag("O-20")
class ParkingTest {

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldTakeRecordsInTheirOrderWhenTheRegistryIsBack() {
        // given
        fixture.records.registryDown(true);
        fixture.event(event("s", "a").type("first"));
        fixture.event(event("s", "a").type("second"));
        fixture.status("s", "a", "pending");
        fixture.advance(1000);
        assertThat(fixture.status().parkedRecords()).isEqualTo(3);
        assertThat(fixture.status().parkedReason()).isEqualTo("schema 1");
        assertThat(fixture.ids("s")).isEmpty();

        // when
        fixture.records.registryDown(false);
        fixture.advance(1000);

        // then
        assertThat(fixture.status().parkedRecords()).isZero();
        assertThat(fixture.status().parkedReason()).isNull();
        assertThat(fixture.stored()).singleElement().satisfies(stored -> {
            assertThat(stored.event().type()).isEqualTo("second");
            assertThat(stored.isProtected()).isTrue();
        });
        assertThat(fixture.observer.orphaned).isZero();
    }

    @Test
    void shouldLetOtherStreamsFlow() {
        // given one record of a schema that is not known
        sendPending("s");

        // when
        fixture.event(event("s", "behind"));
        fixture.event(event("t", "free"));

        // then
        assertThat(fixture.ids("t")).containsExactly("free");
        assertThat(fixture.ids("s")).isEmpty();
        fixture.advance(1000);
        assertThat(fixture.status().parkedRecords()).isEqualTo(2);
    }

    @Test
    @Tag("I-1")
    void shouldDeleteNothingOfAStreamThatWaitsForARecord() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5000)).build());
        fixture.event(event("s", "a"));
        fixture.event(event("t", "a"));
        fixture.records.registryDown(true);
        fixture.status("s", "a", "pending");

        // when
        fixture.advance(2000);
        fixture.records.registryDown(false);
        fixture.advance(1000);
        fixture.advance(5000);
        fixture.settle();

        // then
        assertThat(fixture.ids("s")).containsExactly("a");
        assertThat(fixture.ids("t")).isEmpty();
    }

    @Test
    @Tag("I-1")
    void shouldSweepOtherStreamsMeanwhile() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(500)).build());
        fixture.event(event("s", "a"));
        fixture.event(event("t", "a"));
        sendPending("s");

        // when
        fixture.advance(1000);
        fixture.advance(1000);

        // then
        assertThat(fixture.ids("s")).containsExactly("a");
        assertThat(fixture.ids("t")).isEmpty();
    }

    @Test
    @Tag("I-7")
    void shouldKeepThemThroughARestart() {
        // given
        fixture.records.registryDown(true);
        fixture.event(event("s", "a"));
        fixture.event(event("t", "b"));

        // when
        fixture.restart();
        fixture.records.registryDown(false);
        fixture.event(event("s", "c"));
        fixture.advance(1000);

        // then
        assertThat(fixture.ids("s")).containsExactly("a", "c");
        assertThat(fixture.ids("t")).containsExactly("b");
    }

    @Test
    void shouldGetRidOfTheQueueWhileRecordsComeIn() {
        // given
        fixture.records.registryDown(true);
        for (int i = 0; i < 20; i++) {
            fixture.event(event("s", "e" + i));
        }

        // when the registry is back, and before any tick more records come in
        fixture.records.registryDown(false);
        for (int i = 20; i < 40; i++) {
            fixture.event(event("s", "e" + i));
        }

        // then
        assertThat(fixture.ids("s")).hasSize(40);
        assertThat(fixture.ids("s").get(39)).isEqualTo("e39");
    }

    @Test
    void shouldRejectWhatTurnsOutToBeBad() {
        // given
        fixture.records.registryDown(true);
        fixture.send(bytes("s"), new byte[] {9}, fixture.nowMs());
        fixture.event(event("s", "a"));

        // when
        fixture.records.registryDown(false);
        fixture.advance(1000);

        // then
        assertThat(fixture.rejected).hasSize(1);
        assertThat(fixture.ids("s")).containsExactly("a");
    }

    private void sendPending(String stream) {
        byte[] value = fixture.records.bytes(new Decoded.Pending("schema 7"));
        fixture.send(bytes(stream), value, fixture.nowMs());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
