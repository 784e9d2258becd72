package dev.ebb.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageKeysTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "é漢", "!", "with a blank", "~"})
    void shouldReadBackTheNameInAKey(String name) {
        Bytes stream = UsageKeys.stream(new StreamName(name));

        assertThat(UsageKeys.nameOf(UsageKeys.named(UsageKeys.PENDING, name))).isEqualTo(name);
        assertThat(UsageKeys.nameOfTimed(UsageKeys.doneAt(5, name))).isEqualTo(name);
        assertThat(UsageKeys.streamOf(stream).value()).isEqualTo(name);
        assertThat(UsageKeys.isStream(stream)).isTrue();
        assertThat(stream).isGreaterThan(UsageKeys.FIRST_STREAM);
        assertThat(UsageKeys.parked(name.getBytes(StandardCharsets.UTF_8)))
                .isGreaterThan(UsageKeys.parked(new byte[0]))
                .isLessThan(UsageKeys.afterParked());
    }

    @Test
    void shouldTellStreamsFromEverythingElse() {
        assertThat(UsageKeys.isStream(UsageKeys.FIRST_STREAM)).isTrue();
        assertThat(UsageKeys.isStream(Bytes.wrap(new byte[] {0x1F}))).isFalse();
        assertThat(UsageKeys.isStream(UsageKeys.named(UsageKeys.DONE, "a"))).isFalse();
        assertThat(UsageKeys.isStream(UsageKeys.doneAt(Long.MAX_VALUE, "a"))).isFalse();
        assertThat(UsageKeys.isStream(UsageKeys.execution(-1, -1))).isFalse();
        assertThat(UsageKeys.isStream(UsageKeys.numbered(UsageKeys.RETIRED, -1)))
                .isFalse();
    }

    @Test
    void shouldReadBackTheNumbersInTheKeyOfAnExecution() {
        Bytes key = UsageKeys.execution(7, Long.MAX_VALUE);

        assertThat(UsageKeys.sidOfExecution(key)).isEqualTo(7);
        assertThat(UsageKeys.numberOfExecution(key)).isEqualTo(Long.MAX_VALUE);
        assertThat(UsageKeys.kindOf(key)).isEqualTo(UsageKeys.EXECUTION);
        assertThat(UsageKeys.kindOf(UsageKeys.numbered(UsageKeys.RETIRED, 7))).isEqualTo(UsageKeys.RETIRED);
        assertThat(UsageKeys.numbered(UsageKeys.RETIRED, 7)).isLessThan(UsageKeys.numbered(UsageKeys.RETIRED, 8));
    }

    @Test
    void shouldSortWhatIsDoneByTime() {
        assertThat(UsageKeys.doneAt(5, "b"))
                .isGreaterThan(UsageKeys.doneAt(4, "c"))
                .isGreaterThan(UsageKeys.doneAt(5, "a"))
                .isLessThan(UsageKeys.doneAt(6, ""));
    }
}
