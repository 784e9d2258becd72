package dev.ebb.topology;

import dev.ebb.model.SeededCases;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random deletes and undos of names that are used again at equal anchors, and moves between anchors. */
@Tag("T-2")
@Tag("A-7")
class ReturnPlayTest {

    private static final int CASES = 150;

    @Test
    void shouldBringBackBesideSuccessors() throws InterruptedException {
        SeededCases.forAllOnEveryCore(CASES, ReturnPlay::play);
    }

    /** For builds that are wrong on purpose; {@link BrokenBuild} finds this by its name. */
    static void playTheFirst(int cases) {
        SeededCases.forTheFirst(cases, ReturnPlay::play);
    }
}
