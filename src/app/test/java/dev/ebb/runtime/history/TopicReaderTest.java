package dev.ebb.runtime.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.BadCursorException;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.UnavailableException;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.TimeRange;
import dev.ebb.runtime.MemoryLog;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicReaderTest {

    private static final long MINUTE_MS = 60_000;

    private final MemoryLog log = new MemoryLog();
    private final TopicReader reader = new TopicReader(() -> log, Duration.ofSeconds(30));

    /** C-13: 8191, 8192 and 8193 records are looked at in vain before one that matches. */
    @ParameterizedTest
    @CsvSource({"8191,1", "8192,0", "8193,0"})
    @Tag("C-13")
    void shouldEndSoonWhereLittleIsAskedFor(int inVain, int found) {
        // given
        TopicReader hasty = new TopicReader(() -> log, Duration.ofSeconds(30), Duration.ZERO);
        log.add(0, 0, 0, "wanted");
        for (int i = 1; i <= inVain; i++) {
            log.add(0, i, i, "r" + i);
        }

        // when
        HistoryPage<String> page = hasty.page(TimeRange.ALWAYS, null, 10, TopicReaderTest::wanted);

        // then
        assertThat(page.items()).hasSize(found);
        assertThat(page.next() == null).isEqualTo(found == 1);
        if (page.next() != null) {
            assertThat(hasty.page(TimeRange.ALWAYS, page.next(), 10, TopicReaderTest::wanted)
                            .items())
                    .containsExactly("wanted");
        }
    }

    private static String wanted(ConsumerRecord<byte[], byte[]> record) {
        return MemoryLog.text(record).equals("wanted") ? "wanted" : null;
    }

    @Test
    @Tag("C-13")
    void shouldReadOnePartitionAlone() {
        // given
        log.add(0, 0, 100, "a").add(1, 0, 200, "b").add(1, 1, 300, "c");

        // when
        HistoryPage<String> page = reader.page(new TopicReader.Place(TimeRange.ALWAYS, 1), null, 1, MemoryLog::text);
        HistoryPage<String> rest =
                reader.page(new TopicReader.Place(TimeRange.ALWAYS, 1), page.next(), 5, MemoryLog::text);

        // then
        assertThat(page.items()).containsExactly("c");
        assertThat(rest.items()).containsExactly("b");
        assertThat(rest.next()).isNull();
        assertThat(log.recordsRead).isEqualTo(3);
    }

    @Test
    void shouldShowNewestOfAllPartitionsFirst() {
        // given
        log.add(0, 0, 100, "a").add(0, 1, 300, "c").add(1, 5, 200, "b").add(1, 9, 400, "d");

        // when
        HistoryPage<String> page = reader.page(TimeRange.ALWAYS, null, 10, MemoryLog::text);

        // then
        assertThat(page.items()).containsExactly("d", "c", "b", "a");
        assertThat(page.next()).isNull();
        assertThat(log.isClosed).isTrue();
    }

    @Test
    void shouldGoOnWhereThePageEndedAndShowNothingTwice() {
        // given
        Random random = new Random(7);
        List<String> all = new ArrayList<>();
        long[] offsets = new long[3];
        for (int i = 0; i < 1000; i++) {
            int partition = random.nextInt(3);
            offsets[partition] += 1 + random.nextInt(3);
            log.add(partition, offsets[partition], i, "r" + i);
            all.add(0, "r" + i);
        }

        // when
        List<String> seen = new ArrayList<>();
        String next = null;
        do {
            HistoryPage<String> page = reader.page(TimeRange.ALWAYS, next, 1 + random.nextInt(50), MemoryLog::text);
            seen.addAll(page.items());
            next = page.next();
        } while (next != null);

        // then
        assertThat(seen).isEqualTo(all);
    }

    @Test
    void shouldNotShowRecordsThatCameAfterTheFirstPage() {
        // given
        log.add(0, 0, 100, "a").add(0, 1, 200, "b");
        String next = reader.page(TimeRange.ALWAYS, null, 1, MemoryLog::text).next();
        log.add(0, 4, 300, "c");

        // when
        HistoryPage<String> page = reader.page(TimeRange.ALWAYS, next, 10, MemoryLog::text);

        // then
        assertThat(page.items()).containsExactly("a");
    }

    @Test
    void shouldReadNoMoreThanIsAskedFor() {
        // given
        for (int i = 0; i < 100_000; i++) {
            log.add(0, i, i, "r" + i);
        }

        // when
        reader.page(TimeRange.ALWAYS, null, 10, MemoryLog::text);

        // then
        assertThat(log.recordsRead).isLessThan(200);
    }

    @Test
    void shouldReadPartitionsSideBySide() {
        // given
        for (int i = 0; i < 16_000; i++) {
            log.add(i % 16, i / 16, i, "r" + i);
        }

        // when
        reader.page(TimeRange.ALWAYS, null, 10, MemoryLog::text);
        int readsOfFirstPage = log.reads;
        List<String> all =
                reader.page(TimeRange.ALWAYS, null, 16_000, MemoryLog::text).items();

        // then
        assertThat(readsOfFirstPage).isEqualTo(1);
        assertThat(all).hasSize(16_000).startsWith("r15999", "r15998").endsWith("r1", "r0");
        assertThat(log.reads).isLessThan(16);
    }

    @Test
    void shouldReadNoMoreThanCanBeHeld() {
        // given
        for (int i = 0; i < 5000; i++) {
            log.add(0, i, i, "r" + i);
        }
        log.mostHeld = 50;

        // when
        HistoryPage<String> page = reader.page(TimeRange.ALWAYS, null, 5000, MemoryLog::text);

        // then
        assertThat(page.items()).hasSize(5000).doesNotHaveDuplicates().endsWith("r1", "r0");
        assertThat(log.recordsRead).isLessThan(3 * 5000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9})
    @Tag("O-17")
    void shouldComeToTheEndHoweverFewCanBeHeld(int mostHeld) {
        // given
        for (int i = 0; i < 300; i++) {
            log.add(i % 3, i / 3, i, "r" + i);
        }
        log.mostHeld = mostHeld;
        log.readsUntilTimeIsUp = 10_000;

        // when
        HistoryPage<String> page = reader.page(TimeRange.ALWAYS, null, 300, MemoryLog::text);

        // then
        assertThat(page.items())
                .hasSize(300)
                .doesNotHaveDuplicates()
                .startsWith("r299")
                .endsWith("r0");
        assertThat(page.next()).isNull();
    }

    @Test
    void shouldVisitAllOfATimeAndKeepNone() {
        // given
        for (int i = 0; i < 1000; i++) {
            log.add(i % 3, i / 3, i * MINUTE_MS, "r" + i);
        }
        List<String> seen = new ArrayList<>();

        // when
        boolean isComplete = reader.visit(
                new TimeRange(500 * MINUTE_MS, 600 * MINUTE_MS), record -> seen.add(MemoryLog.text(record)));

        // then
        assertThat(isComplete).isTrue();
        assertThat(seen).contains("r500", "r600").doesNotContain("r499", "r620").doesNotHaveDuplicates();
        assertThat(reader.visit(TimeRange.ALWAYS, record -> false)).isFalse();
        log.readsUntilTimeIsUp = log.reads;
        assertThat(reader.visit(TimeRange.ALWAYS, record -> true)).isFalse();
    }

    @Test
    void shouldReadOnlyTheTimesThatAreAskedFor() {
        // given
        for (int i = 0; i < 10_000; i++) {
            log.add(0, i, i * MINUTE_MS, "r" + i);
        }

        // when
        TimeRange time = new TimeRange(5000 * MINUTE_MS, 5010 * MINUTE_MS);
        HistoryPage<String> page = reader.page(time, null, 1000, MemoryLog::text);

        // then
        assertThat(page.items()).contains("r5000", "r5010").doesNotContain("r4999", "r5030");
        assertThat(page.next()).isNull();
        assertThat(log.recordsRead).isLessThan(100);
        assertThat(reader.page(new TimeRange(20_000 * MINUTE_MS, Long.MAX_VALUE), null, 10, MemoryLog::text)
                        .items())
                .isEmpty();
    }

    @Test
    void shouldPassOverGapsAndDeletedSegments() {
        // given
        log.add(0, 5000, 100, "a").add(0, 90_000, 200, "b");
        log.begins.put(0, 5000L);

        // when
        HistoryPage<String> page = reader.page(TimeRange.ALWAYS, null, 10, MemoryLog::text);

        // then
        assertThat(page.items()).containsExactly("b", "a");
        assertThat(page.next()).isNull();
    }

    @Test
    void shouldEndWithAPartOfThePageWhenTheTimeIsUp() {
        // given
        for (int i = 0; i < 10_000; i++) {
            log.add(0, i, i, "r" + i);
        }
        log.readsUntilTimeIsUp = 2;

        // when
        HistoryPage<String> page = reader.page(TimeRange.ALWAYS, null, 10_000, MemoryLog::text);
        log.readsUntilTimeIsUp = Integer.MAX_VALUE;
        HistoryPage<String> rest = reader.page(TimeRange.ALWAYS, page.next(), 10_000, MemoryLog::text);

        // then
        assertThat(page.items()).hasSizeBetween(100, 1000);
        assertThat(page.items().size() + rest.items().size()).isEqualTo(10_000);
        assertThat(rest.next()).isNull();
    }

    @Test
    void shouldNeverSayThatSomethingIsNotThereWithoutHavingLooked() {
        // given
        for (int i = 0; i < 10_000; i++) {
            log.add(0, i, i, "r" + i);
        }
        log.readsUntilTimeIsUp = 1;

        // then
        assertThatThrownBy(() -> reader.find(
                        TimeRange.ALWAYS, record -> MemoryLog.text(record).equals("r9999") ? "found" : null))
                .isInstanceOf(NotReadyException.class);
    }

    @Test
    void shouldFindRecordAtItsPlace() {
        // given
        log.add(1, 3, 100, "a").add(1, 7, 200, "b");
        log.begins.put(1, 2L);

        // then
        assertThat(reader.at(1, 3).map(MemoryLog::text)).hasValue("a");
        assertThat(reader.at(1, 4)).isEmpty();
        assertThat(reader.at(1, 1)).isEmpty();
        assertThat(reader.at(1, 1_000_000)).isEmpty();
        assertThat(reader.at(9, 0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "%", "MA", "MDoxLA", "LTE6NQ"})
    void shouldRefuseForgedCursors(String cursor) {
        // given
        log.add(0, 0, 100, "a");

        // then
        assertThatThrownBy(() -> reader.page(TimeRange.ALWAYS, cursor, 10, MemoryLog::text))
                .isInstanceOf(BadCursorException.class);
    }

    @Test
    void shouldTellABrokerThatIsAwayFromASchemaThatIsNotKnown() {
        // given
        log.add(0, 0, 100, "a");
        TopicReader away = new TopicReader(
                () -> {
                    throw new TimeoutException("no broker");
                },
                Duration.ofSeconds(1));

        // then
        assertThatThrownBy(() -> away.page(TimeRange.ALWAYS, null, 1, MemoryLog::text))
                .isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> reader.page(TimeRange.ALWAYS, null, 1, record -> {
                    throw new RegistryUnavailableException("no registry", null);
                }))
                .isInstanceOf(NotReadyException.class);
        assertThat(log.isClosed).isTrue();
    }
}
