package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.PolicySet;
import dev.ebb.model.Policies;
import dev.ebb.topology.policy.PolicyView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("B-5")
class RestTest {

    private static final PolicySet POLICIES = PolicySet.empty(Policies.BUILT_IN);

    private final PolicyView view = new PolicyView(POLICIES, 1, null);
    private final Rest rest = new Rest();

    @Test
    void shouldLastUntilSomethingIsToBeDone() {
        // when
        rest.begin(view, 0, 1000);

        // then
        assertThat(rest.lasts(999, view)).isTrue();
        assertThat(rest.lasts(1000, view)).isFalse();
    }

    /** Pauses that it has begun would else last for as long as it was ahead. */
    @Test
    @Tag("O-7")
    void shouldEndWhenTheClockThatBeganItIsPutBack() {
        // when
        rest.begin(view, 500, 1000);

        // then
        assertThat(rest.lasts(500, view)).isTrue();
        assertThat(rest.lasts(499, view)).isFalse();
    }

    @Test
    @Tag("M-9")
    void shouldEndWhenTheInstanceSeesSomethingElse() {
        // when
        rest.begin(view, 0, 1000);

        // then
        assertThat(rest.lasts(1, new PolicyView(POLICIES, 2, null))).isFalse();
    }

    @Test
    void shouldForgetWhatWasSaidBeforeIt() {
        // given
        rest.begin(view, 0, 1000);

        // when
        rest.end();

        // then
        assertThat(rest.isOn()).isFalse();
        assertThat(rest.lasts(1, view)).isFalse();
    }
}
