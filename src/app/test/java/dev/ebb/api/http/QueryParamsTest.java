package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.time.DateBound;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.ProblemView.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryParamsTest {

    private static final long NOW = 1_764_300_000_000L;

    private final QueryParams params =
            params(List.of("after", "stale"), Map.of("after", List.of("x"), "stale", List.of("perhaps")));

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

    @ParameterizedTest
    @Tag("O-22")
    @CsvSource({
        "2026-11-27, 2026-11-28, 2026-11-27T00:00:00Z, 2026-11-28T23:59:59.999Z",
        "1764300000s, 2026-11-28T09:00:00Z, 2025-11-28T03:20:00Z, 2026-11-28T09:00:00Z"
    })
    void shouldNoteTheMomentsThatItUnderstood(String from, String to, String first, String last) {
        Map<String, Long> understood = new HashMap<>();
        QueryParams given = new QueryParams(
                List.of("from", "to"),
                List.of(),
                Map.of("from", List.of(from), "to", List.of(to)),
                NOW,
                understood::put);

        TimeRange range = given.time();
        given.done();

        assertThat(range).isEqualTo(new TimeRange(ms(first), ms(last)));
        assertThat(understood).isEqualTo(Map.of("from", ms(first), "to", ms(last)));
    }

    @ParameterizedTest
    @CsvSource({
        "from, 1764300000, has no unit",
        "wait, -1, must be 0 to 60 seconds",
        "reason, LONG, must not be longer than 4096 characters"
    })
    void shouldSayWhatIsWrong(String name, String text, String why) {
        String value = text.equals("LONG") ? "x".repeat(4097) : text;
        QueryParams given = params(List.of(name), Map.of(name, List.of(value)));
        if (name.equals("from")) {
            given.moment(name, DateBound.BEGINNING);
        } else if (name.equals("wait")) {
            given.wait(Duration.ZERO);
        }

        assertThatThrownBy(given::done).isInstanceOfSatisfying(ProblemException.class, problem -> assertThat(
                        problem.view().problems())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains(why)));
    }

    @Test
    void shouldTakeDurationsFromTheMomentOfTheRequest() {
        QueryParams given = params(List.of("from"), Map.of("from", List.of("1h")));

        assertThat(given.moment("from", DateBound.BEGINNING)).isEqualTo(NOW - 3_600_000);
    }

    @ParameterizedTest
    @CsvSource({
        "where, metadata.user, is not a condition such as metadata.user=42",
        "where, size=42, is not a field of an event",
        "where, id=, has no value",
        "name, a, is given 2 times"
    })
    @Tag("R-15")
    void shouldTakeOnlyConditionsRepeatedly(String name, String text, String why) {
        QueryParams given = params(List.of("where", "name"), Map.of(name, List.of(text, text)));

        given.conditions("where");

        assertThatThrownBy(given::done).isInstanceOfSatisfying(ProblemException.class, problem -> assertThat(
                        problem.view().problems())
                .anySatisfy(fault -> assertThat(fault.message()).contains(why)));
    }

    @ParameterizedTest
    @CsvSource({"63, true", "64, true", "65, false"})
    @Tag("R-15")
    void shouldTakeSixtyFourConditions(int number, boolean isGood) {
        QueryParams given = params(List.of("where"), Map.of("where", Collections.nCopies(number, "id=a")));

        assertThat(given.conditions("where")).hasSize(number);

        if (isGood) {
            given.done();
        } else {
            assertThatThrownBy(given::done).isInstanceOf(ProblemException.class);
        }
    }

    private static long ms(String text) {
        return Instant.parse(text).toEpochMilli();
    }

    private static QueryParams params(List<String> declared, Map<String, List<String>> values) {
        return new QueryParams(declared, List.of("where"), values, NOW, (name, ms) -> {});
    }
}
