package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that was killed goes on from a committed state that its files hold, or from nothing. */
@Tag("A-9")
@Tag("I-7")
class CrashedStoreTest {

    private static SharedMemory memory;

    @TempDir
    private File folder;

    @BeforeAll
    static void share() {
        memory = new SharedMemory(64L << 20, 32L << 20, 1L << 20);
    }

    @AfterAll
    static void release() {
        memory.close();
    }

    @Test
    void shouldGoOnFromTheTransactionBeforeTheOneThatWroteTheFiles() {
        try (CrashingTask task = task(memory)) {
            // given
            task.put("r1", "1-0");
            task.put("m2", "2-0");
            task.commit();
            task.askForFiles();
            task.awaitFiles();
            task.put("r1", null);
            task.put("m2", "2-1");
            task.commit();
            task.put("r3", "3-0");

            // when
            Long offset = task.crash();

            // then
            assertThat(offset).isEqualTo(1);
            assertThat(task.contents()).isEqualTo(task.expected(1L)).containsKeys("r1", "w2-0");
            task.restore(offset, task.end(), 10);
            assertThat(task.contents()).isEqualTo(task.expected(4L)).containsOnlyKeys("m2", "i2", "w2-1");
        }
    }

    @Test
    void shouldWriteFilesWithTheFirstWriteBehindTheCommit() {
        try (CrashingTask task = task(memory)) {
            // given: the wish comes within a transaction
            task.put("r1", "1-0");
            task.commit();
            task.put("r2", "2-0");
            task.awaitFiles();
            task.askForFiles();
            task.commit();

            // when
            task.put("r3", "3-0");
            task.awaitFiles();

            // then
            assertThat(task.crash()).isEqualTo(2);
            assertThat(task.contents()).containsOnlyKeys("r1", "i1", "r2", "i2");
        }
    }

    @Test
    void shouldWriteItsFirstFilesSoonAndFurtherOnesWhenTheyAreWorthIt() {
        try (CrashingTask task = task(memory)) {
            // given
            task.put("r1", "1-0");
            task.commit();
            task.put("r2", "2-0");
            task.commit();
            task.put("r3", "3-0");
            task.awaitFiles();

            // when, then: a task one of whose stores has no offset is restored from nothing
            assertThat(task.crash()).isZero();
        }
    }

    @Test
    void shouldBeginAnewWhereFilesWereWrittenWithinATransaction() {
        try (CrashingTask task = task(memory)) {
            // given
            task.put("r1", "1-0");
            task.commit();
            task.put("r2", "2-0");
            task.flush();

            // when
            Long offset = task.crash();

            // then
            assertThat(offset).isNull();
            assertThat(task.contents()).isEmpty();
            task.restore(null, task.end(), 10);
            assertThat(task.contents()).containsOnlyKeys("r1", "i1");
        }
    }

    @Test
    void shouldMendFilesThatWereWrittenWithinATransactionWithTheNextOne() {
        try (CrashingTask task = task(memory)) {
            // given
            task.put("r1", "1-0");
            task.commit();
            task.put("r2", "2-0");
            task.flush();
            task.commit();
            task.put("r3", "3-0");
            task.awaitFiles();

            // when
            Long offset = task.crash();

            // then
            assertThat(offset).isEqualTo(2);
            assertThat(task.contents()).containsOnlyKeys("r1", "i1", "r2", "i2");
        }
    }

    @Test
    void shouldMendFilesThatWereWrittenWithinATransactionWhenItRests() {
        try (CrashingTask task = task(memory)) {
            // given
            task.put("r1", "1-0");
            task.commit();
            task.put("r2", "2-0");
            task.flush();
            task.writeFiles();
            task.commit();

            // when
            task.writeFiles();
            task.awaitFiles();

            // then
            assertThat(task.crash()).isEqualTo(2);
        }
    }

    @Test
    void shouldWriteItsFirstFilesWhenItRestsBehindItsOnlyTransaction() {
        try (CrashingTask task = task(memory)) {
            // given: nothing is worth files yet
            task.writeFiles();
            task.put("r1", "1-0");
            task.writeFiles();
            task.commit();

            // when
            task.writeFiles();
            task.awaitFiles();

            // then
            assertThat(task.crash()).isZero();
            assertThat(task.contents()).containsOnlyKeys("r1", "i1");
        }
    }

    @Test
    void shouldNotTrustWhatWasClosedWithinATransaction() {
        try (CrashingTask task = task(memory)) {
            // given
            task.put("r1", "1-0");
            task.commit();
            task.put("r2", "2-0");

            // when
            Long offset = task.restart();

            // then
            assertThat(offset).isNull();
            assertThat(task.contents()).isEmpty();
        }
    }

    @Test
    void shouldBeCompleteAfterTheLastCommitAlthoughNoOffsetWasGiven() {
        try (CrashingTask task = task(memory)) {
            // given
            task.put("r1", "1-0");
            task.commit();

            // when
            Long offset = task.restart();

            // then
            assertThat(offset).isZero();
            assertThat(task.contents()).containsOnlyKeys("r1", "i1");
        }
    }

    @Test
    void shouldForgetTheOffsetsOfADamagedChangelog() {
        try (CrashingTask task = task(memory)) {
            // given
            task.put("r1", "1-0");
            task.commit();
            task.keepOffset();

            // when
            task.forgetOffsets();

            // then
            assertThat(task.restart()).isNull();
        }
    }

    @Test
    void shouldGoOnWithARestorationThatWasKilled() {
        try (CrashingTask task = task(memory)) {
            // given
            for (int i = 0; i < 100; i++) {
                task.put("r" + i, i + "-0");
                task.commit();
            }
            task.flush();
            assertThat(task.crash()).isNull();
            int restored = task.restore(null, 100, 10);
            task.keepRestored(restored);
            task.restore((long) restored, 20, 10);
            task.flush();

            // when
            Long offset = task.crash();

            // then: the files are ahead of their offset
            assertThat(offset).isEqualTo(restored);
            assertThat(task.contents().keySet())
                    .containsAll(task.expected(offset).keySet())
                    .hasSizeGreaterThan(task.expected(offset).size());
            task.restore(offset, task.end(), 7);
            assertThat(task.contents()).isEqualTo(task.expected(task.end() - 1L));
        }
    }

    @Test
    void shouldWriteTheFirstOffsetOfARestoration() {
        try (CrashingTask task = task(memory)) {
            // given
            task.put("r1", "1-0");
            task.commit();
            assertThat(task.crash()).isNull();

            // when
            task.restore(null, task.end(), 10);
            task.keepRestored(0);
            task.awaitFiles();

            // then
            assertThat(task.crash()).isZero();
            assertThat(task.contents()).containsOnlyKeys("r1", "i1");
        }
    }

    @Test
    @Tag("A-8")
    void shouldWriteFilesItselfAboveItsShareOfTheMemoryAndNotBelow() {
        try (SharedMemory little = new SharedMemory(16L << 20, 8L << 20, 1 << 20);
                CrashingTask task = task(little)) {
            // given: one of its tables, with its first files
            task.put("r0", "0-0");
            task.commit();
            long begin = fill(task, 0);

            // when
            long below = fill(task, 3000);
            long above = fill(task, 2000);

            // then: half of 8 MB is in use; behind the last committed record are its marker and a deletion sent at once
            assertThat(below).isEqualTo(begin);
            assertThat(above).isGreaterThan(begin + 4_000_000);
            assertThat(task.crash()).isEqualTo(task.end() - 3L);
        }
    }

    /** Writes so many kilobytes in a transaction and begins another one; returns the size of all files then. */
    private static long fill(CrashingTask task, int kilobytes) {
        String kilobyte = "x".repeat(1000);
        for (int i = 0; i < kilobytes; i++) {
            int id = kilobytes * 10_000 + i;
            task.put("r" + id, id + "-" + kilobyte);
        }
        task.commit();
        task.put("r0", null);
        task.awaitFiles();
        return task.number("rocksdb.total-sst-files-size");
    }

    private CrashingTask task(SharedMemory shared) {
        return new CrashingTask(folder, shared);
    }
}
