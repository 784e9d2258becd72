package dev.ebb.store.events;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.Position;
import dev.ebb.store.state.StreamState;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("M-12")
class KeepLastTest {

    private final StoreFixture fixture = new StoreFixture();

    /** As many events of each kind as are kept, fewer and more: nothing is read but the keys of those that are kept. */
    @ParameterizedTest
    @CsvSource({"3, 0", "4, 0", "5, 8", "50, 8"})
    @Tag("A-1")
    void shouldReadNoMoreThanItKeeps(int eligible, int mostRead) {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.KEEP_LAST, Limit.of(4))
                .build());
        for (int i = 0; i < eligible; i++) {
            fixture.event(i % 2 == 0 ? event("s", "e" + i) : event("s", "e" + i).ttlSeconds(1000));
        }
        StreamState stream = Objects.requireNonNull(fixture.store.stream(new StreamName("s")));
        fixture.resetCounts();

        // when
        KeepLast keepLast = KeepLast.of(fixture.events, stream, stream.policy());

        // then
        assertThat(fixture.events.walked).isLessThanOrEqualTo(mostRead);
        assertThat(fixture.events.gets).isZero();
        assertThat(fixture.events.openIterators()).isZero();
        assertThat(kept(keepLast, eligible)).isEqualTo(Math.min(4, eligible));
    }

    private static long kept(KeepLast keepLast, int eligible) {
        long kept = 0;
        for (int i = 0; i < eligible; i++) {
            kept += keepLast.keeps(new Position(0, StoreFixture.T0, i)) ? 1 : 0;
        }
        return kept;
    }
}
