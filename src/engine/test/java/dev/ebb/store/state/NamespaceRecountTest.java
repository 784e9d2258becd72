package dev.ebb.store.state;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.NamespaceTotals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A recount of the namespaces finds what is wrong, nothing else, and whatever happens between its slices. */
@Tag("I-3")
class NamespaceRecountTest {

    private final StoreFixture fixture = new StoreFixture();
    private final List<String> differences = new ArrayList<>();

    @Test
    void shouldFindAndCorrectAStreamThatWasCountedOutTwice() {
        // given
        fixture.event(event("N/a", "1"));
        fixture.event(event("N/b", "1"));
        Map<String, NamespaceTotals> before = Map.copyOf(fixture.store.namespaceTotals());
        counts().addStream("N", -1);

        // when
        recount(100);

        // then
        assertThat(differences)
                .singleElement()
                .asString()
                .startsWith("namespace N: recorded 1 streams with 2 events")
                .contains(", found 2 streams with 2 events");
        assertThat(fixture.store.namespaceTotals()).isEqualTo(before);
    }

    @Test
    void shouldFindANamespaceOfWhichNothingIsLeft() {
        // given
        counts().addStream("gone", -1);

        // when
        recount(100);

        // then
        assertThat(differences).singleElement().asString().startsWith("namespace gone: recorded -1 streams");
        assertThat(fixture.store.namespaceTotals()).isEmpty();
    }

    @Test
    void shouldFindANamespaceThatIsMissing() {
        // given
        fixture.event(event("N/a", "1"));
        counts().addStream("N", -1);
        assertThat(fixture.store.namespaceTotals()).isEmpty();

        // when
        recount(100);

        // then
        assertThat(differences).hasSize(1);
        assertThat(fixture.store.namespaceTotals()).containsOnlyKeys("N");
    }

    @Test
    @Tag("A-1")
    void shouldEndEachSliceWithItsBudget() {
        // given
        fixture.event(event("N/a", "1"));
        fixture.event(event("N/b", "1").execution(7));
        fixture.event(event("N/c", "1"));

        // when
        int slices = recount(1);

        // then four executions, a look for more, and the namespace twice, as it is kept and as it was found
        assertThat(slices).isEqualTo(7);
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldBeginAnewWhenTheStoreIsOpenedAnew() {
        // given
        for (int i = 0; i < 10; i++) {
            fixture.event(event("N/" + i, "1"));
        }
        assertThat(fixture.store.recountNamespaces(budget(5), differences::add)).isFalse();

        // when
        fixture.reopen();
        recount(5);

        // then
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldFindNothingWhateverHappensBetweenItsSlices() {
        SeededCases.forAll(200, random -> {
            StoreFixture store = new StoreFixture();
            store.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(50)).build());
            List<String> found = new ArrayList<>();
            int rounds = 0;
            for (int step = 0; step < 300; step++) {
                change(store, random, step);
                rounds += store.store.recountNamespaces(budget(1 + random.nextInt(4)), found::add) ? 1 : 0;
            }
            assertThat(rounds).isPositive();
            assertThat(found).isEmpty();
        });
    }

    private static void change(StoreFixture store, Random random, int step) {
        String stream = "n" + random.nextInt(2) + "/" + random.nextInt(4);
        String id = "e" + random.nextInt(6);
        store.nowMs += random.nextInt(5);
        switch (random.nextInt(8)) {
            case 0 -> store.execution(stream, 1 + random.nextInt(3), random.nextBoolean() ? "running" : "completed");
            case 1 -> store.sweep();
            case 2 -> store.event(event(stream, id).status("pending"));
            case 3 -> store.event(event(stream, id).ttlSeconds(1 + random.nextInt(3)));
            case 4 -> store.event(event(stream, id).execution(random.nextInt(3)));
            case 5 -> retire(store, stream, step);
            default -> store.event(event(stream, id));
        }
    }

    private static void retire(StoreFixture store, String stream, int step) {
        if (store.store.stream(new StreamName(stream)) != null && step % 3 == 0) {
            store.retire(stream);
        }
    }

    private NamespaceCounts counts() {
        return fixture.store.namespaces();
    }

    private int recount(int steps) {
        int slices = 1;
        while (!fixture.store.recountNamespaces(budget(steps), differences::add)) {
            slices++;
        }
        return slices;
    }

    private static SweepBudget budget(int steps) {
        return new SweepBudget(steps, Long.MAX_VALUE / 2, () -> 0);
    }
}
