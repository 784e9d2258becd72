package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SharedMemoryTest {

    private static final long MIB = 1L << 20;

    @Test
    @Tag("A-8")
    void shouldSayHowMuchIsTakenAndGiveItBack() {
        // given
        try (SharedMemory memory = new SharedMemory(8 * MIB, 4 * MIB, 100)) {
            // when
            boolean fits = memory.reserveForLookups(100);
            boolean isTooMuch = memory.reserveForLookups(1);

            // then
            assertThat(fits).isTrue();
            assertThat(isTooMuch).isFalse();
            assertThat(memory.use().lookups()).isEqualTo(100);
            assertThat(memory.use().lookupsLimit()).isEqualTo(100);
            assertThat(memory.use().blocks()).isBetween(0L, 8 * MIB);
            assertThat(memory.use().blocksLimit()).isEqualTo(8 * MIB);

            // when
            memory.releaseForLookups(40);

            // then
            assertThat(memory.use().lookups()).isEqualTo(60);
        }
    }

    /** Metrics are read until the process ends, and memory of RocksDB must not be asked after its end. */
    @Test
    @Tag("A-8")
    void shouldAnswerAfterItsEnd() {
        // given
        SharedMemory memory = new SharedMemory(8 * MIB, 4 * MIB, 100);

        // when
        memory.close();

        // then
        assertThat(memory.use().blocks()).isZero();
        assertThat(memory.use().blocksLimit()).isEqualTo(8 * MIB);
    }
}
