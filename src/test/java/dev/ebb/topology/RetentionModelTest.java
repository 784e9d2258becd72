package dev.ebb.topology;

import dev.ebb.model.SeededCases;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of ingest, update, policy, outage, clock and restart, played by the whole topology and by a plain
 * model; after each sweep both must hold the same events, for the same reasons (I-1 to I-5, I-7, M-1 to M-4, M-7, M-9,
 * M-10, M-12 to M-15, A-3, A-4, A-7).
 */
@Tag("I-4")
class RetentionModelTest {

    private static final int CASES = 2000;
    private static final int CASES_ON_DISK = 40;
    private static final int NO_BATCHES = 10_000;

    @Test
    void shouldHoldWhatTheModelHolds() {
        SeededCases.forAll(CASES, RetentionModelTest::playInMemory);
    }

    @Test
    void shouldHoldWhatTheModelHoldsOnDisk() {
        SeededCases.forAFew(CASES_ON_DISK, random -> {
            try (TopologyFixture fixture = TopologyFixture.onDisk(settings(NO_BATCHES))) {
                new RetentionPlay(random, fixture).run();
            }
        });
    }

    /** For {@link NegativeControlsTest}. */
    static void playTheFirst(int cases) {
        SeededCases.forTheFirst(cases, RetentionModelTest::playInMemory);
    }

    private static void playInMemory(Random random) {
        int batch = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : NO_BATCHES;
        try (TopologyFixture fixture = TopologyFixture.inMemory(settings(batch))) {
            new RetentionPlay(random, fixture).run();
        }
    }

    private static TopologySettings settings(int batchDeletes) {
        return TopologyFixture.settings(OptionalLong.of(1), batchDeletes);
    }
}
