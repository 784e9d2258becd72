package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crashes at any moment, against a model: random transactions, flushes and restorations. */
@Tag("A-9")
@Tag("I-7")
class CrashedStoreModelTest {

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
    void shouldRestoreTheSameFromAnyEarlierOffset() {
        SeededCases.forAll(8, random -> {
            try (CrashingTask task = task(random)) {
                Draw draw = new Draw(task, random);
                draw.write(150);
                task.commit();
                for (int attempt = 0; attempt < 3; attempt++) {
                    long offset = random.nextInt(task.end());
                    task.keepRestored(offset);
                    assertThat(task.restart()).isEqualTo(offset);
                    task.restoreCompacted(offset, 1 + random.nextInt(40), random);
                    assertThat(task.contents()).isEqualTo(task.expected(task.end() - 1L));
                }
            }
        });
    }

    @Test
    void shouldHoldWhatWasCommittedAfterAnyCrash() {
        SeededCases.forAll(12, random -> {
            try (CrashingTask task = task(random)) {
                Draw draw = new Draw(task, random);
                for (int life = 0; life < 3; life++) {
                    draw.live(100);
                    draw.die();
                }
            }
        });
    }

    private CrashingTask task(Random random) {
        return new CrashingTask(new File(folder, "case-" + random.nextInt(Integer.MAX_VALUE)), memory);
    }

    /** Writes events as a partition does: an id is in one place at a time, and goes before it comes elsewhere. */
    private static final class Draw {

        private final CrashingTask task;
        private final Random random;
        private Map<Integer, String> places = new HashMap<>();
        private Map<Integer, String> committed = Map.of();
        private int marks;
        private boolean wasFlushed;

        Draw(CrashingTask task, Random random) {
            this.task = task;
            this.random = random;
        }

        void write(int events) {
            for (int i = 0; i < events; i++) {
                write();
            }
        }

        private void write() {
            int id = random.nextInt(12);
            String place = places.get(id);
            String next = random.nextBoolean() ? "m" + id : "r" + random.nextInt(3) + "-" + id;
            if (place != null && (random.nextInt(4) == 0 || !place.equals(next))) {
                task.put(place, null);
                places.remove(id);
            }
            if (random.nextInt(4) > 0) {
                String value = id + "-" + (next.startsWith("m") ? marks++ : 0);
                if (places.getOrDefault(id, next).equals(next)) {
                    task.put(next, value);
                    places.put(id, next);
                }
            }
        }

        void live(int steps) {
            for (int step = 0; step < steps; step++) {
                switch (random.nextInt(30)) {
                    case 0, 1, 2 -> commit();
                    case 3 -> task.askForFiles();
                    case 6 -> task.writeFiles();
                    case 4 -> task.awaitFiles();
                    case 5 -> flush();
                    default -> write();
                }
            }
        }

        private void commit() {
            task.commit();
            assertThat(task.contents())
                    .as("the changelog says the same as the store after each commit")
                    .isEqualTo(task.expected(task.end() - 1L));
            committed = new HashMap<>(places);
        }

        private void flush() {
            task.flush();
            wasFlushed = true;
        }

        /** Also within a restoration. */
        void die() {
            Long offset = task.crash();
            assertThat(wasFlushed || !task.wasWiped())
                    .as("nothing else makes the files useless")
                    .isTrue();
            assertThat(task.contents()).isEqualTo(task.expected(offset));
            List<Integer> parts =
                    new ArrayList<>(List.of(random.nextInt(50), random.nextInt(50), Integer.MAX_VALUE / 2));
            for (int part : parts) {
                long restored = task.restore(offset, part, 1 + random.nextInt(20));
                offset = restored;
                if (random.nextBoolean()) {
                    task.keepRestored(restored);
                }
                if (random.nextInt(3) == 0) {
                    task.restore(restored, 10, 5);
                    task.flush();
                    offset = task.crash();
                }
            }
            task.restore(offset, task.end(), 20);
            task.keepRestored(task.end() - 1L);
            assertThat(task.contents()).isEqualTo(task.expected(task.end() - 1L));
            places = new HashMap<>(committed);
            wasFlushed = false;
        }
    }
}
