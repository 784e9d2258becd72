package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.wire.ProblemView.Fault;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueryParamsTest {

    private final QueryParams params =
            new QueryParams(List.of("after", "stale"), Map.of("after", List.of("x"), "stale", List.of("perhaps")));

    @Test
    void shouldReadNothingThatTheRouteDoesNotDeclare() {
        assertThat(params.text("after")).isEqualTo("x");
        assertThatThrownBy(() -> params.text("limit"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'limit'");
    }

    @Test
    void shouldCheckWhetherCopiesMayAnswerWithoutBeingAsked() {
        assertThatThrownBy(params::done).isInstanceOfSatisfying(ProblemException.class, problem -> assertThat(
                        problem.view().problems())
                .extracting(Fault::where)
                .containsExactly("stale"));
    }
}
