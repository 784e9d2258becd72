package dev.ebb.runtime.erase;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.trash.TrashKey;
import java.util.Objects;
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
        CopySearch.Known known =
                Objects.requireNonNull(KafkaCopies.trashed(record(TrashKey.ofEvent(STREAM, 7, "a"), value)));

        // then
        assertThat(known.kind()).isEqualTo(Copies.Kind.TRASH);
        assertThat(known.event()).isEqualTo(stored.event());
        assertThat(known.isAlone()).isTrue();
    }

    @Test
    void shouldPassOverWhatIsNoEvent() {
        assertThat(KafkaCopies.trashed(record(TrashKey.ofExecution(STREAM, 3), new byte[] {1})))
                .isNull();
    }

    @Test
    void shouldTellDamagedCopies() {
        byte[] damaged = {1, 2, 3};
        TrashKey key = TrashKey.ofEvent(STREAM, 7, "a");

        assertThatThrownBy(() -> KafkaCopies.trashed(record(key, damaged))).isInstanceOf(CopySearch.Damaged.class);
        assertThatThrownBy(() -> KafkaCopies.trashed(new ConsumerRecord<>("ebb.trash", 0, 0, damaged, damaged)))
                .isInstanceOf(CopySearch.Damaged.class);
    }

    private static ConsumerRecord<byte[], byte[]> record(TrashKey key, byte[] value) {
        return new ConsumerRecord<>("ebb.trash", 0, 0, key.encode(), value);
    }
}
