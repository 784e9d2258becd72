package dev.ebb.runtime.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.http.Audience;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PageBudgetTest {

    @Test
    void shouldEndTheWorkWhenTheCallerIsGone() throws Exception {
        // given
        PageBudget budget = new PageBudget(1000, () -> 0);
        AtomicBoolean isWaiting = new AtomicBoolean(true);

        // then
        Audience.during(isWaiting::get, () -> {
            assertThat(budget.spend()).isTrue();
            isWaiting.set(false);
            assertThatThrownBy(budget::spend).isInstanceOf(Audience.GoneException.class);
        });
        assertThatCode(budget::spend).as("work for nobody in particular").doesNotThrowAnyException();
    }
}
