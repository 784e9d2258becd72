package dev.ebb.runtime.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.forecast.ForecastQueries.DueStream;
import dev.ebb.port.forecast.ForecastQueries.Place;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("C-3")
class DuePageTest {

    private static final List<DueStream> ALL =
            List.of(stream("c", 5), stream("a", 1), stream("e", 9), stream("b", 5), stream("d", 1));

    /** Of five streams, pages of 4, 5 and 6. */
    @ParameterizedTest
    @CsvSource({"4, e b c a", "5, e b c a d", "6, e b c a d", "1, e"})
    void shouldKeepThoseWithTheMostEventsAndThoseWithAsManyByName(int limit, String expected) {
        assertThat(names(new DuePage(null, limit))).isEqualTo(expected);
    }

    @Test
    void shouldBeginBehindAPlace() {
        assertThat(names(new DuePage(new Place(5, "b"), 2))).isEqualTo("c a");
        assertThat(names(new DuePage(new Place(5, "bb"), 1))).isEqualTo("c");
        assertThat(names(new DuePage(new Place(1, "d"), 2))).isEmpty();
    }

    private static String names(DuePage page) {
        ALL.forEach(page::add);
        return String.join(
                " ", page.streams().stream().map(one -> one.stream().value()).toList());
    }

    private static DueStream stream(String name, long events) {
        return new DueStream(new StreamName(name), new Tally(events, 1), true, 1, 2, new Tally(20, 200));
    }
}
