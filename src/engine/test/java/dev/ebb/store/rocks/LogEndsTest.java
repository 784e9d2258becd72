package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the log of a store is long. */
@Tag("A-9")
class LogEndsTest {

    private static final TopicPartition LOG = new TopicPartition("ebb-events-changelog", 0);

    private final CommittedOffsets offsets = new CommittedOffsets();
    private final LogEnds ends = offsets.ends(LOG);

    @ParameterizedTest
    @CsvSource({
        "0, 199999, false",
        "0, 200000, true",
        "0, 200001, true",
        "1000, 201999, false",
        "1000, 202000, true",
        "1000, 202001, true"
    })
    void shouldBeLongWithTwiceTheStoredRecordsBesideSomeOfItsOwn(long live, long length, boolean isLong) {
        offsets.beginsAt(LOG, 500, false);
        offsets.committed(LOG, 500 + length);

        assertThat(ends.isLong(() -> live)).isEqualTo(isLong);
    }

    @Test
    void shouldBeLongIfItsFirstRecordIsOld() {
        offsets.committed(LOG, 10);
        assertThat(ends.isLong(() -> 1)).as("its beginning is not known").isFalse();
        offsets.beginsAt(LOG, 5, true);

        assertThat(ends.isLong(() -> 1)).isTrue();
        offsets.beginsAt(LOG, 5, false);
        assertThat(ends.isLong(() -> 1)).isFalse();
    }

    @Test
    void shouldNotBeWrittenAnewBeforeItIsCut() {
        offsets.beginsAt(LOG, 5, true);
        offsets.committed(LOG, 10);
        ends.cover(8);

        assertThat(offsets.coveredBefore(LOG)).isEqualTo(8);
        assertThat(ends.isLong(() -> 1)).isFalse();
        offsets.beginsAt(LOG, 8, true);
        assertThat(ends.isLong(() -> 1)).isTrue();
    }

    /** After a start of a partition that has nothing to write. */
    @Test
    void shouldGoByTheEndToWhichItsStoreWasRestored() {
        offsets.beginsAt(LOG, 5, true);
        assertThat(ends.isLong(() -> 1)).isFalse();

        offsets.restoredTo(LOG, 9);
        offsets.restoredTo(LOG, 99);
        assertThat(ends.end())
                .as("later offsets may belong to a transaction of this store")
                .isEqualTo(9);
        assertThat(ends.isLong(() -> 1)).isTrue();

        offsets.committed(LOG, 12);
        assertThat(ends.end()).isEqualTo(12);
    }
}
