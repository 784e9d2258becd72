package dev.ebb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.BenchSettings.Length;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class BenchSettingsTest {

    private static final int IN_SHORT = 300;
    private static final int IN_LONG = 1000;

    @Test
    void shouldSendFewerEventsWhereAllIsMeasuredInTheShortForm() {
        assertThat(settings(Length.SHORT, true, OptionalInt.empty()).fewerEvents(IN_SHORT, IN_LONG))
                .isEqualTo(200);
        assertThat(settings(Length.SHORT, false, OptionalInt.empty()).fewerEvents(IN_SHORT, IN_LONG))
                .isEqualTo(IN_SHORT);
        assertThat(settings(Length.LONG, true, OptionalInt.empty()).fewerEvents(IN_SHORT, IN_LONG))
                .isEqualTo(IN_LONG);
    }

    @Test
    void shouldSendAsManyEventsAsWereAskedFor() {
        assertThat(settings(Length.SHORT, true, OptionalInt.of(7)).fewerEvents(IN_SHORT, IN_LONG))
                .isEqualTo(7);
    }

    private static BenchSettings settings(Length length, boolean isWhole, OptionalInt events) {
        return new BenchSettings(Path.of("unused"), length, isWhole, 1, events);
    }
}
