package dev.ebb.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.peers.PeerClient.Sign;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("A-18")
class DeathTest {

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Instant LAST = Instant.parse("2026-11-29T10:00:00Z");
    private static final String ADDRESS = "10.0.0.2:8480";

    @ParameterizedTest
    @CsvSource({
        "ANSWER, 100000, true, false, it answers at 10.0.0.2:8480",
        "REFUSAL, 0, true, true, nothing listens at 10.0.0.2:8480",
        "SILENCE, 10999, false, false, 'it does not answer at 10.0.0.2:8480, and its last heartbeat to Kafka was 10 s ago'",
        "SILENCE, 11000, true, true, 'it does not answer at 10.0.0.2:8480, and its last heartbeat to Kafka was 11 s ago'",
        "SILENCE, 11001, true, true, 'it does not answer at 10.0.0.2:8480, and its last heartbeat to Kafka was 11 s ago'",
        "SILENCE, -200, false, false, 'it does not answer at 10.0.0.2:8480, and its last heartbeat to Kafka was 0 s ago'",
    })
    void shouldBelieveAnAnswerAndARefusalAndSilenceOnlyWithoutHeartbeats(
            Sign sign, long sinceMs, boolean isCertain, boolean isDead, String evidence) {
        // then
        assertThat(Death.of(ADDRESS, sign, LAST, LAST.plusMillis(sinceMs), INTERVAL))
                .isEqualTo(new Death(isCertain, isDead, evidence));
    }

    @Test
    void shouldTakeAMemberForDeadThatHasNoAddressAndNoHeartbeat() {
        // then
        assertThat(Death.of("", Sign.SILENCE, null, LAST, INTERVAL))
                .isEqualTo(new Death(
                        true, true, "its address is not known, and it has sent no heartbeat to Kafka for minutes"));
    }
}
