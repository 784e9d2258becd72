package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import dev.ebb.store.rocks.Fingerprints.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FingerprintsTest {

    private static final long ENOUGH = 64L << 20;

    private SharedMemory memory = new SharedMemory(1 << 20, 1 << 19, ENOUGH);

    @AfterEach
    void release() {
        memory.close();
    }

    @Test
    void shouldContainWhatWasAddedAndHardlyAnythingElse() {
        // given
        Fingerprints fingerprints = new Fingerprints(memory);

        // when
        for (int i = 0; i < 200_000; i++) {
            assertThat(fingerprints.add(key("added-" + i))).isTrue();
        }

        // then
        int wrong = 0;
        for (int i = 0; i < 200_000; i++) {
            assertThat(fingerprints.contains(key("added-" + i))).isTrue();
            wrong += fingerprints.contains(key("other-" + i)) ? 1 : 0;
        }
        assertThat(wrong).as("200 000 in 2^42 times 200 000 is 0.009").isLessThan(3);
    }

    @Test
    void shouldContainWhatWasAddedMoreOftenThanRemoved() {
        SeededCases.forAFew(50, random -> {
            Fingerprints fingerprints = new Fingerprints(memory);
            List<String> added = new ArrayList<>();
            for (int step = 0; step < 5000; step++) {
                if (added.isEmpty() || random.nextInt(5) > step / 1000) {
                    String key = "k" + random.nextInt(3000);
                    if (random.nextBoolean() || fingerprints.addIfAbsent(key(key)) == Outcome.CONTAINED) {
                        fingerprints.add(key(key));
                    }
                    added.add(key);
                } else {
                    fingerprints.remove(key(added.remove(random.nextInt(added.size()))));
                }
            }
            assertThat(added).allMatch(key -> fingerprints.contains(key(key)));
            added.forEach(key -> fingerprints.remove(key(key)));
            assertThat(added).noneMatch(key -> fingerprints.contains(key(key)));
            fingerprints.release();
        });
        assertThat(memory.reserveForLookups(ENOUGH)).as("all was given back").isTrue();
    }

    @Test
    void shouldAddWhatIsAbsentOnce() {
        // given
        Fingerprints fingerprints = new Fingerprints(memory);

        // when, then
        for (int i = 0; i < 100_000; i++) {
            assertThat(fingerprints.addIfAbsent(key("k" + i))).isEqualTo(Outcome.ADDED);
            assertThat(fingerprints.addIfAbsent(key("k" + i))).isEqualTo(Outcome.CONTAINED);
        }
        for (int i = 0; i < 100_000; i++) {
            fingerprints.remove(key("k" + i));
            assertThat(fingerprints.contains(key("k" + i))).isFalse();
        }
    }

    @Test
    void shouldDoNothingWhenAKeyGoesThatIsNotThere() {
        // given
        Fingerprints fingerprints = new Fingerprints(memory);
        fingerprints.add(key("one"));

        // when
        fingerprints.remove(key("other"));

        // then
        assertThat(fingerprints.contains(key("one"))).isTrue();
    }

    @Test
    void shouldTakeNoMoreMemoryThanThereIs() {
        // given
        memory.close();
        memory = new SharedMemory(1 << 20, 1 << 19, 100_000);
        Fingerprints fingerprints = new Fingerprints(memory);

        // when
        int added = 0;
        while (fingerprints.add(key("k" + added))) {
            added++;
        }

        // then
        assertThat(added).as("at 4 bytes each, with room to find them").isBetween(100, 25_000);
        fingerprints.release();
        assertThat(memory.reserveForLookups(100_000)).isTrue();
        assertThat(memory.reserveForLookups(1)).isFalse();
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
