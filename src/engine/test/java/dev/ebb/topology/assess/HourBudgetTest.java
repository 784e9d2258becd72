package dev.ebb.topology.assess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.change.NamespaceLoss;
import dev.ebb.domain.policy.change.SpentDeletes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Deletes of the last hour of namespaces that were named, and of those that were too many to be. */
@Tag("T-15")
class HourBudgetTest {

    private static final long NOW_MS = 1_800_000_000_000L;

    private final HourBudget budget = new HourBudget(new HourBudget.Notes() {
        private final Map<String, byte[]> saved = new HashMap<>();

        @Override
        public Map<String, byte[]> spent() {
            return saved;
        }

        @Override
        public void saveSpent(String namespace, byte @Nullable [] deletes) {
            saved.put(namespace, deletes);
        }
    });

    @Test
    void shouldCountTheDeletesOfOthersForEachNamespace() {
        // given
        budget.spend(List.of(new NamespaceLoss("a", 3, 100), new NamespaceLoss(NamespaceLoss.OTHERS, 5, 0)), NOW_MS);

        // then
        assertThat(budget.of("a", NOW_MS)).isEqualTo(new SpentDeletes(8, 100));
        assertThat(budget.of("b", NOW_MS)).isEqualTo(new SpentDeletes(5, 0));
        assertThat(budget.hour(NOW_MS).of("a", NOW_MS)).isEqualTo(new SpentDeletes(8, 100));
    }

    /** A namespace that is named now may be one of many in the next change. */
    @Test
    void shouldCountTheDeletesOfEachNamespaceForTheOthers() {
        // given
        budget.spend(List.of(new NamespaceLoss("a", 3, 100), new NamespaceLoss("b", 7, 900)), NOW_MS);
        budget.spend(List.of(new NamespaceLoss(NamespaceLoss.OTHERS, 5, 0)), NOW_MS);

        // then
        assertThat(budget.of(NamespaceLoss.OTHERS, NOW_MS)).isEqualTo(new SpentDeletes(12, 0));
        assertThat(budget.hour(NOW_MS).of(NamespaceLoss.OTHERS, NOW_MS)).isEqualTo(new SpentDeletes(12, 0));
    }
}
