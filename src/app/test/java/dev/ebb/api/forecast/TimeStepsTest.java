package dev.ebb.api.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.forecast.TimeSteps.Direction;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.wire.forecast.BucketView;
import io.javalin.http.Context;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("C-3")
class TimeStepsTest {

    private static final long NOW = Instant.parse("2026-11-25T14:35:20Z").toEpochMilli();
    private static final long HOUR = Duration.ofHours(1).toMillis();

    @ParameterizedTest
    @CsvSource({
        "hour,  2026-11-25T14:00:00Z, 2026-11-27T14:00:00Z, 48",
        "day,   2026-11-25T00:00:00Z, 2026-12-25T00:00:00Z, 30",
        "WEEK,  2026-11-23T00:00:00Z, 2027-05-24T00:00:00Z, 26",
        "month, 2026-11-01T00:00:00Z, 2027-11-01T00:00:00Z, 12",
        "6h,    2026-11-25T12:00:00Z, 2026-12-03T00:00:00Z, 30"
    })
    void shouldBeginWithTheStepOfNow(String step, Instant from, Instant to, int count) {
        // when
        TimeSteps steps = ahead(Map.of("step", step));

        // then
        assertThat(Instant.ofEpochMilli(steps.fromMs())).isEqualTo(from);
        assertThat(Instant.ofEpochMilli(steps.toMs())).isEqualTo(to);
        assertThat(steps.count()).isEqualTo(count);
    }

    @Test
    void shouldEndWithTheStepOfNowWhereItLooksBack() {
        // when
        TimeSteps steps = steps(Map.of("step", "day"), Direction.BACK);

        // then
        assertThat(Instant.ofEpochMilli(steps.toMs())).isEqualTo(Instant.parse("2026-11-26T00:00:00Z"));
        assertThat(steps.count()).isEqualTo(30);
    }

    @Test
    void shouldCountMonthsByTheCalendar() {
        // when
        TimeSteps steps = ahead(Map.of("step", "month", "from", "2027-01-31T00:00:00Z", "to", "2027-04-15T00:00:00Z"));

        // then
        assertThat(steps.views().stream().map(BucketView::from).map(Instant::ofEpochMilli))
                .containsExactly(
                        Instant.parse("2027-01-31T00:00:00Z"),
                        Instant.parse("2027-02-28T00:00:00Z"),
                        Instant.parse("2027-03-31T00:00:00Z"));
    }

    @Test
    void shouldCutTheLastBucket() {
        // when
        TimeSteps steps = ahead(Map.of("step", "hour", "from", NOW + "ms", "to", NOW + 2 * HOUR + 1 + "ms"));

        // then
        assertThat(steps.views())
                .containsExactly(
                        new BucketView(NOW, NOW + HOUR),
                        new BucketView(NOW + HOUR, NOW + 2 * HOUR),
                        new BucketView(NOW + 2 * HOUR, NOW + 2 * HOUR + 1));
    }

    /** At most 1000 buckets: 999, 1000 and 1001. */
    @ParameterizedTest
    @CsvSource({"999,true", "1000,true", "1001,false"})
    void shouldMakeNoMoreThanAThousandBuckets(int count, boolean isAllowed) {
        Map<String, String> asked = Map.of("step", "1h", "from", NOW + "ms", "to", NOW + count * HOUR + "ms");

        // then
        if (isAllowed) {
            assertThat(ahead(asked).count()).isEqualTo(count);
        } else {
            assertThatThrownBy(() -> ahead(asked)).isInstanceOfSatisfying(ProblemException.class, e -> assertThat(
                            e.view().problems().get(0).message())
                    .contains("more than 1000 buckets")
                    .contains("ask for a longer step than 1h"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "step,   fortnight, must be hour",
        "step,   59999ms,   must be hour",
        "step,   -1h,       must be hour",
        "from,   yesterday, is not a time",
        "to,     2020-01-01, must be after 'from'",
        "to,     999999999999999ms, must not be after 9999"
    })
    void shouldSayWhatIsWrong(String name, String value, String problem) {
        assertThatThrownBy(() -> ahead(Map.of(name, value))).isInstanceOfSatisfying(ProblemException.class, e -> {
            assertThat(e.view().problems().get(0).where()).isEqualTo(name);
            assertThat(e.view().problems().get(0).message()).contains(problem);
        });
    }

    @Test
    void shouldTakeAStepOfAMinute() {
        assertThat(ahead(Map.of("step", "60000ms")).stepMs()).isEqualTo(60_000);
    }

    private static TimeSteps ahead(Map<String, String> asked) {
        return steps(asked, Direction.AHEAD);
    }

    /** Asks as a route does. */
    private static TimeSteps steps(Map<String, String> asked, Direction direction) {
        TimeSteps[] made = new TimeSteps[1];
        ApiRoute route =
                TimeSteps.onRoute(ApiRoute.get("/", (ctx, params) -> made[0] = of(params, direction), ""), direction);
        Map<String, List<String>> values = new HashMap<>();
        asked.forEach((name, value) -> values.put(name, List.of(value)));
        Context ctx = (Context) Proxy.newProxyInstance(
                TimeStepsTest.class.getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isIn("queryParamMap", "attribute");
                    return method.getName().equals("attribute") ? null : values;
                });
        try {
            route.answer(ctx);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return made[0];
    }

    private static TimeSteps of(QueryParams params, Direction direction) {
        return TimeSteps.of(params, direction, NOW);
    }
}
