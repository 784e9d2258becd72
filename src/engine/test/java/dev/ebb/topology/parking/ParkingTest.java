package dev.ebb.topology.parking;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.SeededCases;
import dev.ebb.serde.records.Decoded;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.topology.SettingsLike;
import dev.ebb.topology.TopologyFixture;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        assertThat(fixture.status().parkedFor()).containsExactly(new TaskStatus.Parked(Wait.of("schema 1"), 1, 3));
        assertThat(fixture.ids("s")).isEmpty();

        // when
        fixture.records.registryDown(false);
        fixture.advance(1000);

        // then
        assertThat(fixture.status().parkedRecords()).isZero();
        assertThat(fixture.status().parkedFor()).isEmpty();
        assertThat(fixture.stored()).singleElement().satisfies(stored -> {
            assertThat(stored.event().type()).isEqualTo("second");
            assertThat(stored.isProtected()).isTrue();
        });
        assertThat(fixture.observer.orphaned).isZero();
    }

    /** A stream's next record need not wait for the schema of its first one. */
    @Test
    void shouldNotKeepRecordsWaitingForTheSchemaOfOneThatIsTaken() {
        // given two streams that wait for a schema, of which only one record of the first needs it
        fixture.records.awaited(Wait.of("schema 7"));
        sendOfSchema("schema 7", "s", "first");
        sendOfSchema("schema 7", "t", "other");
        for (int i = 0; i < 100; i++) {
            fixture.event(event("s", "e" + i));
        }
        fixture.advance(1000);

        // when the schema cannot be had any more once that record is taken
        fixture.records.arrived("schema 7");
        fixture.event(event("unrelated", "a"));
        fixture.records.awaited(Wait.of("schema 7"));
        assertThat(fixture.ids("s")).contains("first").hasSizeLessThan(10);
        fixture.settleFor(3);

        // then
        assertThat(fixture.ids("s")).hasSize(101);
    }

    /** Disks lose things; the records behind it, and all other streams, are not lost with it. */
    @Test
    @Tag("I-3")
    void shouldPassOverARecordThatIsMissingFromTheStoreOrDamaged() {
        // given
        fixture.records.registryDown(true);
        for (String id : List.of("a", "b", "c")) {
            fixture.event(event("s", id));
        }
        fixture.event(event("t", "d"));
        fixture.advance(1000);
        List<Bytes> parked = new ArrayList<>();
        fixture.rawEvents().all().forEachRemaining(entry -> {
            if (entry.value.length > 0
                    && new String(entry.value, StandardCharsets.ISO_8859_1).contains(TopologyFixture.TOPICS.events())) {
                parked.add(entry.key);
            }
        });
        assertThat(parked).hasSize(4);
        fixture.rawEvents().put(parked.get(0), null);
        fixture.rawEvents().put(parked.get(1), new byte[] {100, 1});

        // when
        fixture.records.registryDown(false);
        fixture.settle();

        // then
        assertThat(fixture.ids("s")).containsExactly("c");
        assertThat(fixture.ids("t")).containsExactly("d");
        assertThat(fixture.status().parkedRecords()).isZero();
        assertThat(fixture.observer.lost).hasSize(2);
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
    @Tag("A-10")
    void shouldNotLetOneSchemaThatNeverComesHoldUpOthers() {
        // given headOfLine: one record that waits for ever, and then a short outage
        sendPending("bad/1");
        fixture.records.registryDown(true);
        for (int i = 0; i < 100; i++) {
            fixture.event(event("good/1", "a" + i));
            fixture.event(event("good/2", "b" + i));
        }
        fixture.records.registryDown(false);

        // when
        fixture.settleFor(600);
        fixture.event(event("good/1", "last"));

        // then
        assertThat(fixture.ids("good/1")).hasSize(101).endsWith("a99", "last");
        assertThat(fixture.ids("good/2")).hasSize(100);
        assertThat(fixture.status().parkedFor()).containsExactly(new TaskStatus.Parked(Wait.of("schema 7"), 1, 1));
    }

    @Test
    void shouldHoldUpNothingButTheLaterRecordsOfItsOwnStream() {
        // given
        fixture.records.awaited(Wait.of("schema 8"));
        sendOfSchema("schema 8", "s", "first");
        fixture.event(event("s", "second"));
        sendOfSchema("schema 8", "t", "third");
        fixture.advance(1000);
        assertThat(fixture.status().parkedFor()).containsExactly(new TaskStatus.Parked(Wait.of("schema 8"), 2, 3));

        // when it comes
        fixture.records.arrived("schema 8");
        fixture.advance(1000);

        // then both streams are woken
        assertThat(fixture.ids("s")).containsExactly("first", "second");
        assertThat(fixture.ids("t")).containsExactly("third");
        assertThat(fixture.status().parkedRecords()).isZero();
    }

    @Test
    void shouldWaitForTheNextSchemaWhenTheFirstIsThere() {
        // given
        fixture.records.awaited(Wait.of("schema 8"));
        fixture.records.awaited(Wait.of("schema 9"));
        sendOfSchema("schema 8", "s", "first");
        sendOfSchema("schema 9", "s", "second");
        sendOfSchema("schema 8", "s", "third");

        // when
        fixture.records.arrived("schema 8");
        fixture.advance(1000);

        // then
        assertThat(fixture.ids("s")).containsExactly("first");
        assertThat(fixture.status().parkedFor()).containsExactly(new TaskStatus.Parked(Wait.of("schema 9"), 1, 2));

        // when
        fixture.restart();
        fixture.records.arrived("schema 9");
        fixture.advance(1000);

        // then
        assertThat(fixture.ids("s")).containsExactly("first", "second", "third");
    }

    @Test
    void shouldSayWhyASchemaIsNotThereAsSoonAsThatIsKnown() {
        // given
        fixture.records.awaited(Wait.of("schema 8"));
        sendOfSchema("schema 8", "s", "first");

        // when
        Wait known = new Wait("schema 8", Wait.Kind.NOT_ALLOWED, "look at the credentials");
        fixture.records.awaited(known);
        fixture.advance(1000);

        // then
        assertThat(fixture.status().parkedFor()).containsExactly(new TaskStatus.Parked(known, 1, 1));
    }

    @Test
    @Tag("I-6")
    void shouldReadNoRecordAgainWhileItsSchemaIsNotThere() {
        // given
        fixture.records.awaited(Wait.of("schema 8"));
        for (int i = 0; i < 50; i++) {
            sendOfSchema("schema 8", "s" + i, "e");
        }
        int reads = fixture.records.reads.get("schema 8");

        // when
        fixture.settleFor(100);

        // then
        assertThat(fixture.records.reads.get("schema 8")).isEqualTo(reads);
    }

    @Test
    @Tag("I-6")
    void shouldTryMoreAndMoreSeldomWhatNothingIsKnownOf() {
        // given a schema of which the reader cannot tell whether it is there
        sendPending("s");

        // when
        fixture.advance(1000);
        int before = fixture.records.pendingReads;
        fixture.settleFor(300);

        // then once in ten seconds, besides the first times
        assertThat(fixture.records.pendingReads - before).isBetween(25, 40);
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "3, 0", "4, 1"})
    void shouldRejectWhatIsMoreThanMayWait(int records, int rejected) {
        // given
        fixture.restart(new SettingsLike(fixture.settings())
                .parkingLimits(new ParkingLimits(3, 1_000_000))
                .make());
        fixture.records.awaited(Wait.of("schema 8"));

        // when
        for (int i = 0; i < records; i++) {
            sendOfSchema("schema 8", "s", "e" + i);
        }
        fixture.event(event("t", "free"));
        fixture.advance(1000);

        // then nothing is lost and nothing else waits
        assertThat(fixture.rejected).hasSize(rejected).allSatisfy(record -> {
            assertThat(EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_REASON))
                    .isEqualTo("PARKED_FULL");
            assertThat(EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_DETAIL))
                    .contains("schema 8", "parked.max.records");
        });
        assertThat(fixture.status().parkedRecords()).isEqualTo(Math.min(records, 3));
        assertThat(fixture.ids("t")).containsExactly("free");
    }

    @Test
    @Tag("M-2")
    void shouldTakeTheRecordsOfEachStreamInTheirOrderWhateverComesWhen() {
        SeededCases.forAll(30, random -> {
            try (TopologyFixture play = TopologyFixture.inMemory()) {
                Map<String, List<String>> sent = new TreeMap<>();
                for (int step = 0; step < 150; step++) {
                    play(random, play, sent, step);
                }
                List.of("schema 1", "schema 2", "schema 3").forEach(play.records::arrived);
                play.settleFor(30);
                assertThat(play.status().parkedRecords()).isZero();
                sent.forEach((stream, ids) -> assertThat(play.ids(stream)).isEqualTo(ids));
            }
        });
    }

    private static void play(Random random, TopologyFixture play, Map<String, List<String>> sent, int step) {
        String schema = "schema " + (1 + random.nextInt(3));
        switch (random.nextInt(8)) {
            case 0 -> play.records.awaited(Wait.of(schema));
            case 1 -> play.records.arrived(schema);
            case 2 -> play.advance(random.nextInt(3000));
            case 3 -> {
                if (random.nextInt(4) == 0) {
                    play.restart();
                }
            }
            default -> {
                String stream = "s" + random.nextInt(4);
                byte[] value =
                        play.records.bytes(schema, event(stream, "e" + step).build());
                play.send(bytes(stream), value, play.nowMs());
                sent.computeIfAbsent(stream, name -> new ArrayList<>()).add("e" + step);
            }
        }
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
        byte[] value = fixture.records.bytes(new Decoded.Pending(Wait.of("schema 7")));
        fixture.send(bytes(stream), value, fixture.nowMs());
    }

    private void sendOfSchema(String schema, String stream, String id) {
        byte[] value = fixture.records.bytes(schema, event(stream, id).build());
        fixture.send(bytes(stream), value, fixture.nowMs());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
