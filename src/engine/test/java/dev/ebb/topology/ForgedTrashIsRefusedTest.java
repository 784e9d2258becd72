package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteEvent;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.undo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome.Left;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.wire.EbbHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records on the topic of the trash that its task has not sent, or has done with: nothing comes of them (T-2, T-16). */
@Tag("T-2")
@Tag("T-16")
class ForgedTrashIsRefusedTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final String STREAM = "orders/1";
    private static final StreamName NAME = new StreamName(STREAM);

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** For builds that are wrong on purpose. */
    static void play() {
        List<Consumer<ForgedTrashIsRefusedTest>> scenarios = new ArrayList<>(List.of(
                ForgedTrashIsRefusedTest::shouldKnowTheNewestOfSeveralDeletionsByItsNumber,
                ForgedTrashIsRefusedTest::shouldRefuseATombstoneOfOthers,
                ForgedTrashIsRefusedTest::shouldEraseAForgedCopyWithoutCountingIt));
        for (Forgery forgery : Forgery.values()) {
            scenarios.add(test -> test.shouldBringBackNothingButWhatTheDeletePutThere(forgery));
            if (forgery != Forgery.REPLAY) {
                scenarios.add(test -> test.shouldRefuseTheForgedRecordAlone(forgery));
            }
        }
        for (Ending ending : Ending.values()) {
            scenarios.add(test -> test.shouldNotBringBackWhatIsPlayedAgain(ending));
        }
        for (Consumer<ForgedTrashIsRefusedTest> scenario : scenarios) {
            ForgedTrashIsRefusedTest test = new ForgedTrashIsRefusedTest();
            try {
                scenario.accept(test);
            } finally {
                test.close();
            }
        }
    }

    /** The ways to forge a record from a genuine one. */
    private enum Forgery {
        /** Another id under the same place: the event would have hidden the genuine one in the order. */
        OTHER_ID {
            @Override
            TestRecord<byte[], byte[]> of(TestRecord<byte[], byte[]> genuine) {
                TrashKey key = TrashKey.decode(genuine.key());
                TrashKey other =
                        TrashKey.ofEvent(key.stream(), key.number(), "forged").withSerial(key.serial() + 1);
                return record(other.encode(), value("forged", key.number()), genuine.headers());
            }
        },
        OTHER_VALUE {
            @Override
            TestRecord<byte[], byte[]> of(TestRecord<byte[], byte[]> genuine) {
                TrashKey key = TrashKey.decode(genuine.key());
                return record(genuine.key(), value(key.id(), key.number()), genuine.headers());
            }
        },
        /** A later end of the time in which the delete can be undone. */
        OTHER_HEADER {
            @Override
            TestRecord<byte[], byte[]> of(TestRecord<byte[], byte[]> genuine) {
                Headers headers = new RecordHeaders(genuine.headers().toArray());
                EbbHeaders.set(headers, EbbHeaders.UNDO_UNTIL, Long.MAX_VALUE);
                return record(genuine.key(), genuine.value(), headers);
            }
        },
        FURTHER_HEADER {
            @Override
            TestRecord<byte[], byte[]> of(TestRecord<byte[], byte[]> genuine) {
                Headers headers = new RecordHeaders(genuine.headers().toArray());
                headers.add(EbbHeaders.FORMER_CHANGE, new byte[] {'*', '@', '1'});
                return record(genuine.key(), genuine.value(), headers);
            }
        },
        NO_SEAL {
            @Override
            TestRecord<byte[], byte[]> of(TestRecord<byte[], byte[]> genuine) {
                Headers headers = new RecordHeaders(genuine.headers().toArray());
                headers.remove(EbbHeaders.TRASH_SEAL);
                return record(genuine.key(), genuine.value(), headers);
            }
        },
        SHORT_SEAL {
            @Override
            TestRecord<byte[], byte[]> of(TestRecord<byte[], byte[]> genuine) {
                Headers headers = new RecordHeaders(genuine.headers().toArray());
                headers.remove(EbbHeaders.TRASH_SEAL).add(EbbHeaders.TRASH_SEAL, new byte[0]);
                return record(genuine.key(), genuine.value(), headers);
            }
        },
        /** The same record once more. */
        REPLAY {
            @Override
            TestRecord<byte[], byte[]> of(TestRecord<byte[], byte[]> genuine) {
                return record(genuine.key(), genuine.value(), genuine.headers());
            }
        };

        abstract TestRecord<byte[], byte[]> of(TestRecord<byte[], byte[]> genuine);

        private static byte[] value(String id, long storedAt) {
            StoredEvent stored = event(STREAM, id).payload(new byte[] {66}).stored(storedAt);
            return StoredEventCodec.encode(stored, stored.sizeBytes());
        }
    }

    private static TestRecord<byte[], byte[]> record(byte[] key, byte @Nullable [] value, Headers headers) {
        return new TestRecord<>(key, value, headers, TopologyFixture.T0);
    }

    @ParameterizedTest
    @EnumSource(Forgery.class)
    void shouldBringBackNothingButWhatTheDeletePutThere(Forgery forgery) {
        // given a delete, and a forged record of it
        fixture.event(event(STREAM, "a").payload(new byte[] {1}));
        List<StoredEvent> before = fixture.stored();
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        fixture.trash.add(forgery.of(fixture.trash.get(0)));
        List<TrashSum> waiting = fixture.status().trash();

        // when
        CommandResult counted = fixture.carryOut(dryRun("u-0", undo("c-1")));
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(waiting).extracting(TrashSum::events).containsExactly(1L);
        assertThat(List.of(outcome(counted), outcome(result))).allSatisfy(outcome -> {
            assertThat(outcome.events()).isEqualTo(1);
            assertThat(outcome.count(NotReturned.FORGED)).isEqualTo(1);
            assertThat(outcome.named()).extracting(Left::reason).containsExactly(NotReturned.FORGED);
        });
        assertThat(fixture.stored()).isEqualTo(before);
        assertThat(fixture.observer.forged).isEqualTo(1);
        assertThat(fixture.status().trash()).isEmpty();
        assertConsistent();
    }

    /** Compaction leaves the newest record of a key, which is the forged one. */
    @ParameterizedTest
    @EnumSource(value = Forgery.class, mode = EnumSource.Mode.EXCLUDE, names = "REPLAY")
    void shouldRefuseTheForgedRecordAlone(Forgery forgery) {
        // given
        fixture.event(event(STREAM, "a").payload(new byte[] {1}));
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        TestRecord<byte[], byte[]> forged = forgery.of(fixture.trash.get(0));
        fixture.trash.clear();
        fixture.trash.add(forged);

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(outcome(result).events()).isZero();
        assertThat(outcome(result).count(NotReturned.FORGED)).isEqualTo(1);
        assertThat(fixture.stored()).isEmpty();
    }

    /** Compaction leaves the newest record of a key, and drops the end of the
     * genuine one. */
    @ParameterizedTest
    @EnumSource(Ending.class)
    void shouldNotBringBackWhatIsPlayedAgain(Ending ending) {
        // given
        fixture.event(event(STREAM, "a").metadata(Map.of("user", "42")));
        fixture.event(event(STREAM, "stays"));
        fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", false)));
        TestRecord<byte[], byte[]> played = fixture.trash.get(0);
        ending.end(fixture);
        fixture.restart();
        assertThat(fixture.ids(STREAM)).containsExactly("stays");

        // when
        fixture.trash.clear();
        fixture.trash.add(played);
        CommandResult result = fixture.carryOut(request("u-9", undo("c-1")));

        // then
        assertThat(outcome(result).events()).isZero();
        assertThat(outcome(result).count(NotReturned.FORGED)).isEqualTo(1);
        assertThat(fixture.ids(STREAM)).containsExactly("stays");
        assertConsistent();
    }

    /** The ends of a record of the trash. */
    private enum Ending {
        ERASED {
            @Override
            void end(TopologyFixture fixture) {
                fixture.carryOut(request("e-1", EraseScenarioTest.erase(null, false, "metadata.user=42")));
            }
        },
        BACK_AND_DELETED_FOR_GOOD {
            @Override
            void end(TopologyFixture fixture) {
                fixture.carryOut(request("u-1", undo("c-1")));
                assertThat(fixture.ids(STREAM)).containsExactly("a", "stays");
                fixture.carryOut(request("e-1", EraseScenarioTest.erase(null, false, "metadata.user=42")));
            }
        };

        abstract void end(TopologyFixture fixture);
    }

    /** An older form that is played again must not take the place of the newest one. */
    @Test
    void shouldKnowTheNewestOfSeveralDeletionsByItsNumber() {
        // given
        fixture.event(event(STREAM, "a").payload(new byte[] {1}));
        fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", false)));
        fixture.advance(10);
        fixture.event(event(STREAM, "a").payload(new byte[] {2}));
        fixture.carryOut(request("c-2", deleteEvent(STREAM, "a", false)));
        fixture.trash.add(fixture.trash.get(0));

        // when
        UndoFilter all = new UndoFilter(null, null, null, null, TopologyFixture.T0, null, null, null);
        CommandResult result = fixture.carryOut(request("u-1", new Command.UndoDeletes(all, null)));

        // then
        assertThat(outcome(result).count(NotReturned.FORGED)).isEqualTo(1);
        assertThat(fixture.stored())
                .singleElement()
                .extracting(stored -> Objects.requireNonNull(stored.event().payload())[0])
                .isEqualTo((byte) 2);
    }

    @Test
    void shouldRefuseATombstoneOfOthers() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", false)));
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.TRASH_OFFSET, 0);
        fixture.trash.add(record(fixture.trash.get(0).key(), null, headers));
        EbbHeaders.set(headers, EbbHeaders.TRASH_OFFSET, "no number");
        fixture.trash.add(record(fixture.trash.get(0).key(), null, headers));

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(outcome(result).events()).isEqualTo(1);
        assertThat(fixture.ids(STREAM)).containsExactly("a");
    }

    @Test
    void shouldRefuseAForgedExecution() {
        // given
        fixture.execution(execution(STREAM, 1, "completed"));
        fixture.event(event(STREAM, "a").execution(1));
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        TestRecord<byte[], byte[]> genuine = fixture.trash.stream()
                .filter(one -> TrashKey.decode(one.key()).kind() == TrashKey.Kind.EXECUTION)
                .findFirst()
                .orElseThrow();
        TrashKey second = TrashKey.ofExecution(NAME, 2)
                .withSerial(TrashKey.decode(genuine.key()).serial() + 100);
        fixture.trash.add(record(second.encode(), genuine.value(), genuine.headers()));
        fixture.trash.add(record(genuine.key(), genuine.value(), genuine.headers()));

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(outcome(result).executions()).isEqualTo(1);
        assertThat(outcome(result).count(NotReturned.FORGED)).isEqualTo(2);
        assertThat(fixture.reader().context(NAME).orElseThrow().executions())
                .extracting(known -> known.number())
                .contains(1L)
                .doesNotContain(2L);
    }

    /** The figures of the trash know genuine records alone, whatever an erasure finds. */
    @Test
    @Tag("T-10")
    void shouldEraseAForgedCopyWithoutCountingIt() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", false)));
        StoredEvent forged = event(STREAM, "b").metadata(Map.of("user", "42")).stored(1000);
        byte[] key =
                TrashKey.ofEvent(NAME, 1000, "b").withSerial(Long.MAX_VALUE).encode();
        TestRecord<byte[], byte[]> record = record(
                key,
                StoredEventCodec.encode(forged, forged.sizeBytes()),
                fixture.trash.get(0).headers());
        fixture.trash.add(record);
        fixture.copies.putTrash(key, record.value(), fixture.trash.size() - 1, record.headers());

        // when
        fixture.carryOut(request("e-1", EraseScenarioTest.erase(null, false, "metadata.user=42")));

        // then
        assertThat(fixture.status().trash()).extracting(TrashSum::events).containsExactly(1L);
        assertThat(fixture.trash.get(fixture.trash.size() - 1))
                .satisfies(last -> assertThat(last.key()).isEqualTo(key))
                .satisfies(last -> assertThat(last.value()).isNull());
        assertThat(outcome(fixture.carryOut(request("u-1", undo("c-1")))).events())
                .isEqualTo(1);
    }

    /** A task that starts anew on a trash of another state knows none of its records. */
    @Test
    void shouldRefuseAllThatAnotherStateHasSent() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", false)));
        try (TopologyFixture other = TopologyFixture.inMemory()) {
            other.event(event(STREAM, "b"));
            other.trash.addAll(fixture.trash);

            // when
            CommandResult result = other.carryOut(request("u-1", undo("c-1")));

            // then
            assertThat(outcome(result).events()).isZero();
            assertThat(outcome(result).count(NotReturned.FORGED)).isEqualTo(1);
            assertThat(other.ids(STREAM)).containsExactly("b");
        }
    }

    /** The secret is a part of the state: what was deleted before a restart comes back after it. */
    @Test
    void shouldKnowItsRecordsAfterARestart() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        fixture.restart();
        fixture.advance(HOUR_MS);

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(outcome(result).events()).isEqualTo(1);
        assertThat(outcome(result).notReturned()).isEmpty();
    }

    private static Undone outcome(CommandResult result) {
        return Objects.requireNonNull(Outcomes.undone(result), result::detail);
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }
}
