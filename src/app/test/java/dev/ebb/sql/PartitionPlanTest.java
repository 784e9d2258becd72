package dev.ebb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("A-13")
class PartitionPlanTest {

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T10:00:00Z, 2026-11 2026-12 2027-01 2027-02",
        "2026-12-31T23:59:59.999Z, 2026-12 2027-01 2027-02 2027-03",
        "2027-01-01T00:00:00Z, 2027-01 2027-02 2027-03 2027-04"
    })
    void shouldNeedTheCurrentMonthAndThreeAhead(Instant now, String months) {
        assertThat(PartitionPlan.needed(now)).isEqualTo(months(months));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T10:00:00Z, 2026-09 2026-10",
        "2026-11-01T23:59:59.999Z, 2026-09",
        "2026-11-02T00:00:00Z, 2026-09 2026-10"
    })
    void shouldLeaveAMonthOneMoreDayForRowsOnTheirWay(Instant now, String past) {
        assertThat(PartitionPlan.past(months("2026-10 2026-09 2026-11 2026-12 2027-02"), now))
                .isEqualTo(months(past));
    }

    @Test
    void shouldReadTheMonthOfAPartition() {
        assertThat(PartitionPlan.monthOf("event_2026_02")).contains(YearMonth.of(2026, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"event_default", "event", "event_2026_13", "event_2026_00", "event_2026_1", "my_event_2026_01"})
    void shouldNotTakeAnotherTableForAMonth(String table) {
        assertThat(PartitionPlan.monthOf(table)).isEmpty();
    }

    private static List<YearMonth> months(String text) {
        return Arrays.stream(text.split(" ")).map(YearMonth::parse).toList();
    }
}
