package dev.ebb.serde.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.serde.schemas.RejectedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("T-13")
class SettingsJsonTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 1500, 86_400_000L, Long.MAX_VALUE})
    void shouldReadWhatItWrites(long maxAge) {
        for (List<String> statuses : List.of(List.<String>of(), List.of("done", "\"said\""))) {
            // given
            RetentionSettings settings =
                    new RetentionSettings(Limit.of(maxAge), PolicyMode.WARN, new TerminalStatuses(statuses));

            // when
            DecodedPolicy read = SettingsJson.read(SettingsJson.write(settings));

            // then
            assertThat(read).isEqualTo(new DecodedPolicy.OfSettings(settings));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"maxAge\":\"30d\",\"mode\":\"enforce\"}",
                "{\"maxAge\":\"0s\",\"mode\":\"enforce\",\"terminalStatuses\":\"\"}",
                "{\"maxAge\":\"30d\",\"mode\":\"stop\",\"terminalStatuses\":\"\"}",
                "{\"maxAge\":30,\"mode\":\"enforce\",\"terminalStatuses\":\"\"}",
            })
    void shouldRefuseOtherObjects(String json) {
        assertThat(SettingsJson.read(json.getBytes(StandardCharsets.UTF_8))).isInstanceOf(DecodedPolicy.Bad.class);
    }

    @Test
    void shouldRefuseWhatIsNoObject() {
        assertThatThrownBy(() -> SettingsJson.read("30d".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(RejectedException.class);
    }
}
