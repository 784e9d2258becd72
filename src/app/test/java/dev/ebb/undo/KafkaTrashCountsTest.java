package dev.ebb.undo;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.port.NotReadyException;
import dev.ebb.runtime.MemoryLog;
import dev.ebb.runtime.history.TopicReader;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.trash.DeletionHeaders;
import dev.ebb.topology.trash.TestSeals;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.wire.EbbHeaders;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The trash of one stream, read from its topic (T-5). */
@Tag("T-5")
class KafkaTrashCountsTest {

    private static final long NOW_MS = 1_000_000;
    private static final StreamName STREAM = new StreamName("orders/1");

    private final MemoryLog log = new MemoryLog();
    private final KafkaTrashCounts trash = new KafkaTrashCounts(
            partition -> {
                throw new AssertionError("no counts are asked for");
            },
            new TopicReader(() -> log, Duration.ofSeconds(30)),
            1,
            partition -> TestSeals.guard(),
            Duration.ofMillis(500_000),
            Clock.fixed(Instant.ofEpochMilli(NOW_MS), ZoneOffset.UTC));

    private long offset;

    @Test
    void shouldCountByReason() {
        // given
        keep("orders/1", "a", purge("c-1", NOW_MS + 10));
        keep("orders/1", "b", purge("c-1", NOW_MS + 10));
        keep("orders/1", "c", purge("c-2", NOW_MS + 10));
        keep("orders/2", "a", purge("c-1", NOW_MS + 10));
        Headers purged = DeletionHeaders.of(purge("c-1", NOW_MS + 10));
        byte[] execution = TrashKey.ofExecution(STREAM, 1).encode();
        log.add(0, offset++, NOW_MS, execution, new byte[] {1}, TestSeals.sealed(execution, new byte[] {1}, purged));

        // then
        assertThat(trash.waiting(STREAM))
                .extracting(sum -> sum.reason().commandId() + " " + sum.events() + " " + sum.executions())
                .containsExactlyInAnyOrder("c-1 2 1", "c-2 1 0");
        assertThat(trash.waiting(STREAM)).extracting(TrashSum::bytes).doesNotContain(0L);
        assertThat(trash.waiting(new StreamName("orders/3"))).isEmpty();
    }

    /** One millisecond before, at, and after the end of the time. */
    @Test
    void shouldLeaveOutWhatIsFinal() {
        keep("orders/1", "a", purge("before", NOW_MS - 1));
        keep("orders/1", "b", purge("at", NOW_MS));
        keep("orders/1", "c", purge("after", NOW_MS + 1));

        assertThat(trash.waiting(STREAM))
                .extracting(sum -> sum.reason().commandId())
                .containsExactly("after");
    }

    @Test
    void shouldLeaveOutWhatWasTakenOut() {
        // given an event that came back and went again, and one that only came back
        long first = keep("orders/1", "a", purge("c-1", NOW_MS + 10));
        long other = keep("orders/1", "b", purge("c-1", NOW_MS + 10));
        keep("orders/1", "a", purge("c-2", NOW_MS + 10));
        takeOut("orders/1", "a", first);
        takeOut("orders/1", "b", other);

        // then
        assertThat(trash.waiting(STREAM))
                .extracting(sum -> sum.reason().commandId() + " " + sum.events())
                .containsExactly("c-2 1");
    }

    @Test
    void shouldPassOverRecordsThatAreNoneOfTheTrash() {
        // given
        log.add(0, offset++, NOW_MS, new byte[] {9, 9}, new byte[] {1}, new RecordHeaders());
        log.add(0, offset++, NOW_MS, null, new byte[] {1}, new RecordHeaders());
        add("orders/1", "z", new byte[] {1}, new RecordHeaders());
        keep("orders/1", "a", purge("c-1", NOW_MS + 10));

        // then
        assertThat(trash.waiting(STREAM)).extracting(TrashSum::events).containsExactly(1L);
    }

    @Test
    void shouldSayWhenItCannotCountInTime() {
        keep("orders/1", "a", purge("c-1", NOW_MS + 10));
        log.readsUntilTimeIsUp = 0;

        assertThatThrownBy(() -> trash.waiting(STREAM))
                .isInstanceOf(NotReadyException.class)
                .hasMessageContaining("ebb undo --since T --stream S --dry-run");
    }

    private long keep(String stream, String id, Deletion deletion) {
        byte[] value = StoredEventCodec.encode(event(stream, id).stored(1000), 100);
        return add(stream, id, value, DeletionHeaders.of(deletion));
    }

    private void takeOut(String stream, String id, long of) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.TRASH_OFFSET, of);
        add(stream, id, null, headers);
    }

    private long add(String stream, String id, byte[] value, Headers headers) {
        byte[] key = TrashKey.ofEvent(new StreamName(stream), 1000, id).encode();
        log.add(0, offset, NOW_MS, key, value, TestSeals.sealed(key, value, headers));
        return offset++;
    }

    private static Deletion purge(String commandId, long untilMs) {
        return new Deletion(RemovalCause.PURGE, "command", -1, "", List.of(), "", commandId, untilMs - 100, untilMs);
    }
}
