package dev.ebb.archive;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.history.ArchiveQueries.ArchiveFilter;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.TimeRange;
import dev.ebb.runtime.MemoryLog;
import dev.ebb.runtime.history.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-3")
class KafkaArchiveTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final MemoryLog log = new MemoryLog();
    private final KafkaArchive archive = new KafkaArchive(
            new TopicReader(() -> log, PATIENCE), value -> archived(new String(value, StandardCharsets.UTF_8)));

    /** A record of the test says {@code stream id deletedAt cause sweep}; any other text is no archived event. */
    private static Optional<ArchivedEvent> archived(String text) {
        String[] parts = text.split(" ", -1);
        return parts.length != 5
                ? Optional.empty()
                : Optional.of(new ArchivedEvent(
                        event(parts[0], parts[1]).stored(1000),
                        Long.parseLong(parts[2]),
                        RemovalCause.valueOf(parts[3]),
                        "*",
                        7L,
                        parts[4],
                        "command-of-" + parts[4]));
    }

    @Test
    void shouldListMatchesByLatestDeleteFirst() {
        // given
        log.add(0, 0, 2000, "a/1 x 2000 TTL s-1")
                .add(1, 5, 3000, "a/2 y 3000 MAX_AGE s-2")
                .add(0, 3, 4000, "ab/1 z 4000 MAX_AGE s-3")
                .add(0, 4, 5000, "no event");

        // then
        assertThat(places(null, null, null, null, TimeRange.ALWAYS)).containsExactly("0-3", "1-5", "0-0");
        assertThat(places("a/1", null, null, null, TimeRange.ALWAYS)).containsExactly("0-0");
        assertThat(places(null, "a", null, null, TimeRange.ALWAYS)).containsExactly("1-5", "0-0");
        assertThat(places(null, null, "MAX_AGE", null, TimeRange.ALWAYS)).containsExactly("0-3", "1-5");
        assertThat(places(null, null, null, "s-2", TimeRange.ALWAYS)).containsExactly("1-5");
        assertThat(places(null, null, null, "command-of-s-3", TimeRange.ALWAYS)).containsExactly("0-3");
        assertThat(places(null, null, null, null, new TimeRange(2001, 3000))).containsExactly("1-5");
        assertThat(places(null, null, null, null, new TimeRange(2000, 2999))).containsExactly("0-0");
        assertThat(places(null, "a", null, "s-3", TimeRange.ALWAYS)).isEmpty();
    }

    private List<String> places(String stream, String namespace, String cause, String by, TimeRange time) {
        ArchiveFilter filter =
                new ArchiveFilter(stream == null ? null : new StreamName(stream), namespace, cause, by, time);
        List<String> places = new ArrayList<>();
        String after = null;
        do {
            HistoryPage<ArchivedRecord> page = archive.list(filter, after, 2);
            page.items().forEach(record -> places.add(record.id().toString()));
            after = page.next();
        } while (after != null);
        return places;
    }
}
