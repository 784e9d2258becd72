package dev.ebb.topology.assess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.change.NamespaceLoss;
import dev.ebb.store.layout.NamespaceTotals;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Losses of a partition by namespace, in an answer of a limited size. */
@Tag("T-15")
class NamespaceLossesTest {

    private final NamespaceLosses losses = new NamespaceLosses(10);

    @Test
    void shouldListTheNamespacesThatTheChangeConcerns() {
        // given
        losses.add("a", 2);
        losses.add("a", 3);

        // when
        List<NamespaceLoss> listed =
                losses.list(Map.of("a", totals(9), "b", totals(7), "c", totals(5)), name -> !name.equals("c"));

        // then
        assertThat(listed).containsExactlyInAnyOrder(new NamespaceLoss("a", 5, 9), new NamespaceLoss("b", 0, 7));
        assertThat(losses.left()).isEqualTo(5);
    }

    @Test
    void shouldListANamespaceThatHasBeenEmptiedSince() {
        // given
        losses.add("gone", 4);
        losses.add("other", 2);

        // when
        List<NamespaceLoss> listed = losses.list(Map.of("a", totals(9)), name -> !name.equals("other"));

        // then
        assertThat(listed).containsExactlyInAnyOrder(new NamespaceLoss("a", 0, 9), new NamespaceLoss("gone", 4, 0));
    }

    @Test
    void shouldLetTheLargestLossOfTheOthersStandForThem() {
        // given one namespace more than an answer lists, each with another loss
        NamespaceLosses all = new NamespaceLosses(Long.MAX_VALUE);
        Map<String, NamespaceTotals> totals = new HashMap<>();
        for (int i = 0; i <= NamespaceLosses.MOST_LISTED; i++) {
            all.add("n" + i, i + 3);
            totals.put("n" + i, totals(10_000));
        }

        // when
        List<NamespaceLoss> listed = all.list(totals, name -> true);

        // then
        assertThat(listed)
                .hasSize(NamespaceLosses.MOST_LISTED + 1)
                .doesNotContain(new NamespaceLoss("n0", 3, 10_000))
                .endsWith(new NamespaceLoss(NamespaceLoss.OTHERS, 3, 0));
    }

    private static NamespaceTotals totals(long events) {
        return new NamespaceTotals(1, events, 0, 0, 0, 0);
    }
}
