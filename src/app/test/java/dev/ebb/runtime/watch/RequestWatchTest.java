package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-18")
class RequestWatchTest {

    private static final int PLACES = 20;

    private long nanos;
    private final RequestWatch watch = new RequestWatch(PLACES, () -> nanos);

    @ParameterizedTest
    @CsvSource({"7, 150, false", "8, 149, false", "8, 150, true", "9, 151, true"})
    void shouldReportRequestsThatDoNotEnd(int requests, long seconds, boolean isReported) {
        // given
        begin(requests);

        // when
        pass(seconds);

        // then
        assertThat(watch.problem() != null).isEqualTo(isReported);
    }

    @Test
    void shouldNameTheOldestAndForgetThoseThatEnd() {
        // given
        watch.begin("first", "GET /metrics");
        pass(10);
        begin(RequestWatch.MOST_DEAD - 1);
        pass(150);
        assertThat(watch.problem()).isEqualTo("8 requests do not end; the oldest, GET /metrics, began 160 s ago");

        // when
        watch.end("first");

        // then
        assertThat(watch.problem()).isNull();
    }

    /** They listen for as long as they may, which says nothing of the instance. */
    @Test
    void shouldNotTakeListenersForRequestsThatDoNotEnd() {
        // given
        begin(PLACES);
        for (int i = 0; i < PLACES; i++) {
            watch.listens("request " + i);
        }

        // when
        pass(1000);

        // then
        assertThat(watch.problem()).isNull();
    }

    @Test
    void shouldCountThePlacesOfListeners() {
        // given
        begin(PLACES);
        watch.listens("request 0");

        // when
        pass(30);
        assertThat(watch.problem()).isEqualTo("all 20 places for requests have been taken for 30 s");
        watch.end("request 0");

        // then
        assertThat(watch.problem()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"19, 60, false", "20, 29, false", "20, 30, true", "21, 31, true"})
    void shouldReportPlacesThatAreNeverFree(int requests, long seconds, boolean isReported) {
        // given
        begin(requests);

        // when
        pass(seconds);

        // then
        assertThat(watch.problem() != null).isEqualTo(isReported);
    }

    @Test
    void shouldBeginAnewWhenAPlaceWasFree() {
        // given
        begin(PLACES);
        pass(29);

        // when
        watch.end("request 0");
        watch.begin("another", "GET /v1/streams");
        pass(29);

        // then
        assertThat(watch.problem()).isNull();
        pass(1);
        assertThat(watch.problem()).isEqualTo("all 20 places for requests have been taken for 30 s");
    }

    private void begin(int requests) {
        for (int i = 0; i < requests; i++) {
            watch.begin("request " + i, "GET /v1/rejected");
        }
    }

    private void pass(long seconds) {
        nanos += Duration.ofSeconds(seconds).toNanos();
    }
}
