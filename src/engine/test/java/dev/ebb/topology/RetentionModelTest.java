package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import java.io.File;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random sequences of input, executions, policies, holds, confirmations, commands, sweeps by hand, outages, clock and
 * restarts, played by the whole topology and by a plain model; after each step both must hold the same events and have
 * removed the same ones, for the same reasons (I-1 to I-5, I-7, M-1 to M-18, O-1, O-3, O-5, O-8 to O-11, O-14, A-3, A-4, A-7).
 */
@Tag("I-4")
class RetentionModelTest {

    private static final int CASES = 220;
    private static final int CASES_BY_HAND = 80;
    private static final int CASES_ON_DISK = 6;
    private static final int COMPARED_RUNS = 1000;
    private static final int SERVED_SLICES = 1000;

    @Test
    void shouldHoldWhatTheModelHolds() throws InterruptedException {
        long before = RetentionPlayRush.SERVED.get();

        SeededCases.forAllOnEveryCore(CASES, random -> playInMemory(RetentionPlayCase.draw(random), true));

        assertThat(RetentionPlayRush.SERVED.get() - before)
                .as("streams that lost something in a slice while due events kept coming")
                .isGreaterThanOrEqualTo(isOwnChoice() ? 0 : SERVED_SLICES);
    }

    /** {@code sweep --dry-run} and {@code policy plan} name just the events that the sweep of that millisecond deletes. */
    @Test
    @Tag("O-5")
    @Tag("O-14")
    void shouldDeleteWhatDryRunsAndPlansHaveSaid() throws InterruptedException {
        long before = RetentionPlaySweeps.COMPARED.get();

        SeededCases.forAllOnEveryCore(CASES_BY_HAND, random -> playInMemory(RetentionPlayCase.ofSweeps(random), true));

        assertThat(RetentionPlaySweeps.COMPARED.get() - before)
                .as("runs that were held against what was said of them")
                .isGreaterThanOrEqualTo(isOwnChoice() ? 0 : COMPARED_RUNS);
    }

    private static boolean isOwnChoice() {
        return System.getProperty("test.seed") != null || System.getProperty("test.cases") != null;
    }

    @Test
    void shouldHoldWhatTheModelHoldsOnDisk(@TempDir File folder) {
        SeededCases.forAFew(CASES_ON_DISK, random -> new RetentionPlayRunner(
                        RetentionPlayCase.draw(random), settings -> TopologyFixture.onDisk(settings, newFolder(folder)))
                .play(true));
    }

    /** For {@link NegativeControlsTest}. */
    static void playTheFirst(int cases) {
        SeededCases.forTheFirst(
                cases, random -> playInMemory(RetentionPlayCase.draw(random, RetentionPlayCase.Kind.ALWAYS), false));
    }

    private static void playInMemory(RetentionPlayCase plan, boolean isShortened) {
        new RetentionPlayRunner(plan, TopologyFixture::inMemory).play(isShortened);
    }

    private static File newFolder(File parent) {
        try {
            return Files.createTempDirectory(parent.toPath(), "play").toFile();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
