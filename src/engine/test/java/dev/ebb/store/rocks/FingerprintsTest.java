package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
            fingerprints.add(key("added-" + i));
        }

        // then
        int wrong = 0;
        for (int i = 0; i < 200_000; i++) {
            assertThat(fingerprints.mayContain(key("added-" + i))).isTrue();
            wrong += fingerprints.mayContain(key("other-" + i)) ? 1 : 0;
        }
        assertThat(wrong).as("200 000 in 2^36 times 200 000 is 0.6").isLessThan(10);
    }

    @Test
    void shouldContainWhatWasAddedMoreOftenThanRemoved() {
        SeededCases.forAFew(50, random -> {
            Fingerprints fingerprints = new Fingerprints(memory);
            List<String> added = addAndRemove(random, fingerprints, 5000, 3000, ENOUGH);
            assertThat(added).allMatch(key -> fingerprints.mayContain(key(key)));
            added.forEach(key -> fingerprints.remove(key(key)));
            assertThat(added).noneMatch(key -> fingerprints.mayContain(key(key)));
            fingerprints.release();
        });
        assertThat(memory.reserveForLookups(ENOUGH)).as("all was given back").isTrue();
    }

    /** Two of so many keys may have the same fingerprint, about once in 14 runs. */
    @Test
    void shouldAddWhatIsAbsentOnce() {
        // given
        Fingerprints fingerprints = new Fingerprints(memory);
        List<String> added = new ArrayList<>();

        // when, then
        for (int i = 0; i < 100_000; i++) {
            if (fingerprints.addIfAbsent(key("k" + i))) {
                added.add("k" + i);
            }
            assertThat(fingerprints.addIfAbsent(key("k" + i))).isFalse();
        }
        assertThat(added).hasSizeGreaterThan(99_990);
        for (String key : added) {
            fingerprints.remove(key(key));
            assertThat(fingerprints.mayContain(key(key))).isFalse();
        }
    }

    /** Of 1024 tables none has fewer than 16 homes, once it has held something. */
    @Test
    void shouldGiveBackTheMemoryOfWhatHasGone() {
        // given
        Fingerprints fingerprints = new Fingerprints(memory);
        for (int i = 0; i < 100_000; i++) {
            fingerprints.add(key("k" + i));
        }
        assertThat(memory.use().lookups()).isGreaterThan(300_000);

        // when
        for (int i = 0; i < 100_000; i++) {
            fingerprints.remove(key("k" + i));
        }

        // then
        assertThat(memory.use().lookups()).isEqualTo(1024 * PrintTable.bytesOf(16));
        fingerprints.release();
        assertThat(memory.use().lookups()).isZero();
    }

    /** 68 keys in each table, give or take 8, are more than three quarters of 64 homes and less than those of 128. */
    @Test
    void shouldMakeTablesTwiceAsLargeWhereThereIsMemory() {
        Fingerprints fingerprints = new Fingerprints(memory);

        for (int i = 0; i < 70_000; i++) {
            fingerprints.add(key("k" + i));
        }

        assertThat(memory.use().lookups()).isBetween(1000 * PrintTable.bytesOf(128), 1050 * PrintTable.bytesOf(128));
        fingerprints.release();
    }

    @Test
    void shouldDoNothingWhenAKeyGoesThatIsNotThere() {
        // given
        Fingerprints fingerprints = new Fingerprints(memory);
        fingerprints.add(key("one"));

        // when
        fingerprints.remove(key("other"));

        // then
        assertThat(fingerprints.mayContain(key("one"))).isTrue();
    }

    @Test
    @Tag("A-8")
    void shouldKnowAsManyKeysAsItsMemorySufficesForAndNothingOfTheOthers() {
        // given
        memory.close();
        memory = new SharedMemory(1 << 20, 1 << 19, 1 << 20);
        Fingerprints fingerprints = new Fingerprints(memory);

        // when there are more and more than that
        for (int limit : new int[] {600_000, 1_200_000}) {
            for (int i = limit - 600_000; i < limit; i++) {
                if (i % 2 == 0) {
                    fingerprints.add(key("k" + i));
                } else {
                    fingerprints.addIfAbsent(key("k" + i));
                }
            }

            // then
            int known = 0;
            int missing = 0;
            for (int i = 0; i < limit; i++) {
                byte[] key = key("k" + i);
                missing += fingerprints.mayContain(key) && !fingerprints.addIfAbsent(key) ? 0 : 1;
                known += fingerprints.knows(key) ? 1 : 0;
            }
            assertThat(missing).isZero();
            assertThat(known).as("of %d, in 1 MiB at 3 to 4 bytes", limit).isBetween((1 << 20) / 4, (1 << 20) / 5 * 2);
        }
        assertThat(memory.use().lookups()).isBetween((1L << 20) * 9 / 10, 1L << 20);
        fingerprints.release();
        assertThat(memory.use().lookups()).isZero();
        assertThat(fingerprints.knowsNothing()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 7})
    @Tag("A-8")
    void shouldKnowNearlyAllKeysAtFourBytesEachHoweverManyPartitionsShareTheMemory(int partitions) {
        // given
        memory.close();
        memory = new SharedMemory(1 << 20, 1 << 19, 4 << 20);
        List<Fingerprints> all = Stream.generate(() -> new Fingerprints(memory))
                .limit(partitions)
                .toList();

        // when
        int keys = (4 << 20) / 4;
        for (int i = 0; i < keys; i++) {
            all.get(i % partitions).add(key("k" + i));
        }

        // then
        int known = 0;
        for (int i = 0; i < keys; i++) {
            known += all.get(i % partitions).knows(key("k" + i)) ? 1 : 0;
        }
        assertThat(known).isGreaterThan(keys * 99 / 100);
    }

    @Test
    @Tag("A-8")
    void shouldKnowNothingWithoutMemory() {
        // given
        memory.close();
        memory = new SharedMemory(1 << 20, 1 << 19, 0);
        Fingerprints fingerprints = new Fingerprints(memory);

        // when
        for (int i = 0; i < 100_000; i++) {
            fingerprints.add(key("k" + i));
        }

        // then
        assertThat(fingerprints.knowsNothing()).isTrue();
        fingerprints.remove(key("k1"));
        assertThat(fingerprints.mayContain(key("k1"))).isTrue();
        assertThat(fingerprints.mayContain(key("other"))).isTrue();
        assertThat(fingerprints.addIfAbsent(key("other"))).isFalse();
    }

    @Test
    @Tag("A-8")
    void shouldStayRightWhenMemoryIsShort() {
        SeededCases.forAFew(50, random -> {
            memory.close();
            memory = new SharedMemory(1 << 20, 1 << 19, 50_000);
            Fingerprints fingerprints = new Fingerprints(memory);
            addAndRemove(random, fingerprints, 60_000, 40_000, 50_000);
            fingerprints.release();
            assertThat(memory.use().lookups()).isZero();
        });
    }

    /**
     * Adds more than it removes at first and removes more than it adds in the end, and looks now and then whether what is
     * left is contained and no more memory is taken than there is.
     *
     * @param limit the memory that there is
     * @return the keys that are left, each as often as it was added
     */
    private List<String> addAndRemove(Random random, Fingerprints fingerprints, int steps, int keys, long limit) {
        List<String> added = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            if (step % (steps / 10) == 0) {
                assertThat(added).allMatch(key -> fingerprints.mayContain(key(key)));
                assertThat(memory.use().lookups()).isLessThanOrEqualTo(limit);
            }
            if (added.isEmpty() || random.nextInt(5) > step / (steps / 5)) {
                String key = "k" + random.nextInt(keys);
                if (random.nextBoolean() || !fingerprints.addIfAbsent(key(key))) {
                    fingerprints.add(key(key));
                }
                added.add(key);
            } else {
                fingerprints.remove(key(added.remove(random.nextInt(added.size()))));
            }
        }
        return added;
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
