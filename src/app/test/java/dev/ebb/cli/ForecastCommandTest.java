package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.wire.forecast.AmountView;
import dev.ebb.wire.forecast.BucketView;
import dev.ebb.wire.forecast.ForecastView;
import dev.ebb.wire.forecast.ForecastView.DueView;
import dev.ebb.wire.forecast.ForecastView.NamespaceView;
import dev.ebb.wire.forecast.ForecastView.OthersView;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("C-3")
class ForecastCommandTest {

    private static final long DAY = 24L * 3600 * 1000;

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldShowATableWhereThereIsNoTerminal() {
        // given
        api.answer("GET /v1/forecast?namespace=orders&step=day", forecast(0, false));

        // when
        CommandRun run = api.run("forecast", "--namespace", "orders");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("1970-01-11T00:00:00.000Z +1970-01-12T00:00:00.000Z +1,234 +12.1 KiB +yes")
                .containsPattern("1970-01-12T00:00:00.000Z +1970-01-13T00:00:00.000Z +60 +0 B +no")
                .containsPattern("orders +10,000 +7 +0 +1,244 +5 +3")
                .containsPattern("2 others +50 +0 +0 +50 +0 +0");
    }

    @Test
    void shouldDrawBarsOnATerminal() {
        // given
        api.answer("GET /v1/forecast?step=day", forecast(0, true));

        // when
        CommandRun run = api.typed("", "forecast");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("overdue +7 +70 B +▍")
                .containsPattern("1970-01-11 +1,234 +12.1 KiB +█{60}")
                .containsPattern("1970-01-12 +~60 +~0 B +█+");
        assertThat(run.err()).contains("limits sweeps to a window");
    }

    @Test
    void shouldSayWhatIsMissing() {
        // given
        api.answer("GET /v1/forecast?step=week", forecast(2, false));

        // then
        assertThat(api.run("forecast", "--by", "week").out())
                .contains("Not exact: 2 partitions could not be surveyed.")
                .contains("Still being read: 9,000 of 10,050 events so far; the rest is a guess.");
    }

    @Test
    void shouldSayThatNothingIsStored() {
        // given
        api.answer(
                "GET /v1/forecast?step=day",
                new ForecastView(
                        0, 0, DAY, DAY, true, 0, false, AmountView.NOTHING, 0, List.of(), List.of(), null, List.of()));

        // then
        assertThat(api.run("forecast").out()).contains("No events are stored there.");
    }

    @Test
    void shouldPassTheTimeOn() {
        // given
        api.otherwise(400, "{\"title\":\"Bad request\",\"detail\":\"the query parameters are wrong\"}");

        // when
        CommandRun run = api.run("forecast", "--by", "6h", "--from", "2026-12-01", "--to", "2026-12-02T10:00:00Z");

        // then
        assertThat(run.exitCode()).isNotZero();
        assertThat(api.requests().get(0).uri())
                .isEqualTo("/v1/forecast?from=2026-12-01T00:00:00Z&to=2026-12-02T10:00:00Z&step=6h");
    }

    private static ForecastView forecast(int missing, boolean windows) {
        AmountView none = AmountView.NOTHING;
        NamespaceView orders = new NamespaceView(
                "orders",
                new AmountView(10_000, 100_000),
                new AmountView(7, 70),
                none,
                List.of(new DueView(1234, 12_340, true), new DueView(10, 0, false)),
                new AmountView(5, 50),
                new AmountView(3, 30));
        OthersView others = new OthersView(
                2,
                new AmountView(50, 500),
                none,
                none,
                List.of(new DueView(0, 0, true), new DueView(50, 0, true)),
                none,
                none);
        return new ForecastView(
                10 * DAY,
                10 * DAY,
                12 * DAY,
                DAY,
                false,
                missing,
                windows,
                new AmountView(10_050, 100_500),
                9_000,
                List.of(new BucketView(10 * DAY, 11 * DAY), new BucketView(11 * DAY, 12 * DAY)),
                List.of(orders),
                others,
                List.of());
    }
}
