package dev.ebb.domain.undo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("T-2")
class UndoFilterTest {

    private static final StreamName STREAM = new StreamName("orders/1");

    @ParameterizedTest
    @CsvSource({
        "namespace:shop, , namespace:shop@7, true",
        "namespace:shop, 7, namespace:shop@7, true",
        "namespace:shop, 6, namespace:shop@7, false",
        "namespace:shop, , namespace:shop@eu@7, false",
        "namespace:shop@eu, , namespace:shop@eu@7, true",
        "namespace:shop, , namespace:shopping@7, false",
        "hold:LIT-1, , hold:LIT-1@7, true",
        "namespace:shop, , '', false"
    })
    void shouldTellTheChangesOfAPolicy(String policy, @Nullable Long version, String change, boolean isMeant) {
        UndoFilter filter = new UndoFilter(null, null, policy, version, null, null, null, null);

        assertThat(filter.isMet(STREAM, deletion(change, 5))).isEqualTo(isMeant);
    }

    /** A later change must not hide the one that is named, nor the policy by whose rule the event went. */
    @ParameterizedTest
    @CsvSource({
        "*, 13, true",
        "hold:c, 12, true",
        "hold:c, 13, false",
        "namespace:shop, 11, true",
        "namespace:shop, , true",
        "namespace:shop, 12, false",
        "namespace:other, , false"
    })
    void shouldTellEachChangeByWhichItMayHaveBeenDue(String policy, @Nullable Long version, boolean isMeant) {
        UndoFilter filter = new UndoFilter(null, null, policy, version, null, null, null, null);
        Deletion deletion = new Deletion(
                RemovalCause.MAX_AGE, "namespace:shop", 11, "*@13", List.of("hold:c@12"), "s-1", "", 5, 10);

        assertThat(filter.isMet(STREAM, deletion)).isEqualTo(isMeant);
    }

    /** The first millisecond counts, the last one does not. */
    @ParameterizedTest
    @CsvSource({"4, false", "5, true", "6, true", "8, true", "9, false"})
    void shouldTakeDeletesFromTheFirstMillisecondToBeforeTheLast(long deletedMs, boolean isMeant) {
        UndoFilter filter = new UndoFilter(null, null, null, null, 5L, 9L, null, null);

        assertThat(filter.isMet(STREAM, deletion("", deletedMs))).isEqualTo(isMeant);
    }

    private static Deletion deletion(String change, long deletedMs) {
        return new Deletion(RemovalCause.MAX_AGE, "*", 7, change, List.of(), "s-1", "", deletedMs, deletedMs + 10);
    }
}
