package dev.ebb.runtime.erase;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.serde.records.ArchiveReader;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.trash.TestSeals;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.wire.Topics;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T-10")
class KafkaCopiesTest {

    private static final StreamName STREAM = new StreamName("orders/1");

    @Test
    void shouldReadAnEventInTheTrash() {
        // given
        StoredEvent stored = event("orders/1", "a").payloadBytes(3).stored(7);
        byte[] value = StoredEventCodec.encode(stored, stored.sizeBytes());

        // when
        CopySearch.Known known = Objects.requireNonNull(
                KafkaCopies.trashed(record(TrashKey.ofEvent(STREAM, 7, "a"), value), TestSeals.guard()));

        // then
        assertThat(known.kind()).isEqualTo(Copies.Kind.TRASH);
        assertThat(known.event()).isEqualTo(stored.event());
    }

    @Test
    void shouldPassOverWhatIsNoEvent() {
        assertThat(KafkaCopies.trashed(record(TrashKey.ofExecution(STREAM, 3), new byte[] {1}), TestSeals.guard()))
                .isNull();
    }

    @Test
    void shouldTellDamagedCopies() {
        byte[] damaged = {1, 2, 3};
        TrashKey key = TrashKey.ofEvent(STREAM, 7, "a");

        assertThatThrownBy(() -> KafkaCopies.trashed(record(key, damaged), TestSeals.guard()))
                .isInstanceOf(CopySearch.Damaged.class);
        assertThatThrownBy(() -> KafkaCopies.trashed(
                        new ConsumerRecord<>("ebb.trash", 0, 0, damaged, damaged), TestSeals.guard()))
                .isInstanceOf(CopySearch.Damaged.class);
    }

    /** A copy of which the registry will never have the schema must not keep the others. */
    @Test
    void shouldTellACopyOfAnUnknownSchemaFromARegistryThatIsAway() {
        assertThatThrownBy(() -> archived(Wait.Kind.SCHEMA, Wait.Kind.SCHEMA)).isInstanceOf(CopySearch.Damaged.class);
        assertThatThrownBy(() -> archived(Wait.Kind.SCHEMA_UNUSABLE)).isInstanceOf(CopySearch.Damaged.class);
        for (Wait.Kind kind : List.of(Wait.Kind.REGISTRY_AWAY, Wait.Kind.NOT_ALLOWED)) {
            assertThatThrownBy(() -> archived(Wait.Kind.SCHEMA, kind)).isInstanceOf(RegistryUnavailableException.class);
        }
    }

    /** A search that was closed must not go on asking. */
    @Test
    void shouldAskTheRegistryNoLongerThanItsSearchLasts() {
        Wait.Kind[] waits = Collections.nCopies(10, Wait.Kind.SCHEMA).toArray(Wait.Kind[]::new);
        AtomicInteger left = new AtomicInteger(3);

        assertThatThrownBy(() -> archived(() -> left.decrementAndGet() == 0, waits))
                .isInstanceOf(RegistryUnavailableException.class);
        assertThat(left).hasValue(0);
    }

    private static CopySearch.Known archived(Wait.Kind... waits) {
        return archived(() -> false, waits);
    }

    /** Reads a copy for which the registry makes wait for these reasons, one after the other, and then has no schema. */
    private static CopySearch.Known archived(BooleanSupplier isClosed, Wait.Kind... waits) {
        Deque<Wait.Kind> left = new ArrayDeque<>(List.of(waits));
        ArchiveReader reader = value -> {
            if (!left.isEmpty()) {
                throw new RegistryUnavailableException(Wait.of("schema 7").because(left.remove(), "as the test says"));
            }
            return Optional.empty();
        };
        var copies = new KafkaCopies(null, null, new Topics("ebb.", 1), reader, null, () -> {});
        return copies.archived(new ConsumerRecord<>("ebb.archive", 0, 0, new byte[] {1}, new byte[] {1}), isClosed);
    }

    private static ConsumerRecord<byte[], byte[]> record(TrashKey key, byte[] value) {
        return new ConsumerRecord<>("ebb.trash", 0, 0, key.encode(), value);
    }
}
