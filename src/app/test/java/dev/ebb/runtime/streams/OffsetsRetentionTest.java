package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OffsetsRetentionTest {

    @ParameterizedTest
    @CsvSource({"10080, true", "43199, true", "43200, false", "525600, false"})
    void shouldWarnWhereAStopOfAMonthNeedsHelp(long minutes, boolean isTooShort) {
        String problem = OffsetsRetention.problem(minutes);

        assertThat(problem != null).isEqualTo(isTooShort);
    }

    @ParameterizedTest
    @CsvSource({"10080, 7d"})
    void shouldSayForHowLong(long minutes, String text) {
        assertThat(OffsetsRetention.problem(minutes))
                .startsWith("the brokers forget the offsets of a group that has stopped for " + text)
                .endsWith("Set it to 43200 or more");
    }
}
