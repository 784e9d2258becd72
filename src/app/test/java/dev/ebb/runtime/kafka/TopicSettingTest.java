package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.runtime.kafka.TopicSetting.Need;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicSettingTest {

    @ParameterizedTest
    @CsvSource({
        "EXACTLY, compact, compact, false",
        "EXACTLY, compact, delete, true",
        "AT_LEAST, 10, 9, true",
        "AT_LEAST, 10, 10, false",
        "AT_LEAST, 10, 11, false",
        "PROMISED, 10, 9, true",
        "PROMISED, 10, 10, false",
        "PROMISED, 10, 11, false",
        "PROMISED, 10, -1, false",
        "AT_MOST, 10, 9, false",
        "AT_MOST, 10, 10, false",
        "AT_MOST, 10, 11, true",
        "ADVISED, 10, 9, false",
    })
    void shouldBeBrokenOnlyByValuesThatBreakThePromise(Need need, String value, String actual, boolean isBroken) {
        assertThat(new TopicSetting("key", value, need).isBrokenBy(actual)).isEqualTo(isBroken);
    }

    @ParameterizedTest
    @CsvSource({
        "PROMISED, 9, false",
        "PROMISED, 10, false",
        "PROMISED, 11, true",
        "PROMISED, -1, true",
        "AT_LEAST, 11, false",
    })
    void shouldKeepWhatWasPromisedForLonger(Need need, String actual, boolean isKept) {
        assertThat(new TopicSetting("key", "10", need).keeps(actual)).isEqualTo(isKept);
    }
}
