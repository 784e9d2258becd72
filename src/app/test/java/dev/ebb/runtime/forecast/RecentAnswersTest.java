package dev.ebb.runtime.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicySet;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("C-3")
class RecentAnswersTest {

    private final RecentAnswers<Integer, String> answers = new RecentAnswers<>();
    private final Outlines known = new Outlines(Map.of(), 1);
    private final PolicySet inForce = policies();
    private int found;

    @Test
    void shouldFindTheSameAnswerOnce() {
        assertThat(ask(1, known, inForce)).isEqualTo("1 first");
        assertThat(ask(1, known, inForce)).isEqualTo("1 first");
        assertThat(ask(2, known, inForce)).isEqualTo("2 second");
    }

    /** An answer is never older than the outlines and the policies that it is asked with. */
    @Test
    void shouldFindItAnewForOtherOutlinesAndPolicies() {
        // given
        ask(1, known, inForce);
        Outlines newer = new Outlines(Map.of(), 1);

        // then
        assertThat(ask(1, newer, inForce)).isEqualTo("1 second");
        assertThat(ask(1, newer, policies())).isEqualTo("1 third");
        assertThat(ask(1, known, inForce)).isEqualTo("1 fourth");
    }

    /** Eight answers are kept: after 7, 8 and 9 of them the first one is there, there, and gone. */
    @ParameterizedTest
    @CsvSource({"7,7", "8,8", "9,10"})
    void shouldKeepAFew(int questions, int expected) {
        // when
        for (int i = 0; i < questions; i++) {
            ask(i, known, inForce);
        }
        ask(0, known, inForce);

        // then
        assertThat(found).isEqualTo(expected);
    }

    /** The one that was asked for longest ago goes. */
    @Test
    void shouldKeepWhatIsAskedForAgain() {
        // given
        for (int i = 0; i < 8; i++) {
            ask(i, known, inForce);
        }

        // when
        ask(0, known, inForce);
        ask(8, known, inForce);
        ask(0, known, inForce);
        assertThat(found).isEqualTo(9);

        // then
        ask(1, known, inForce);
        assertThat(found).isEqualTo(10);
    }

    private String ask(int question, Outlines outlines, PolicySet policies) {
        String[] names = {"first", "second", "third", "fourth"};
        return answers.of(question, outlines, policies, () -> {
            String name = found < names.length ? names[found] : "later";
            found++;
            return question + " " + name;
        });
    }

    private static PolicySet policies() {
        return PolicySet.empty(new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE));
    }
}
