package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApiDoorTest {

    @Test
    void shouldListenForProbesWhereTheSettingsSay() {
        ApiSettings settings = ApiDoor.settings(config(Map.of("health.listen", "127.0.0.2:8481")));

        assertThat(settings.health()).hasToString("127.0.0.2/<unresolved>:8481");
        assertThat(ApiDoor.settings(config(Map.of())).health()).isNull();
    }

    @Test
    void shouldTakeAsMuchAsTheSettingsSay() {
        // given
        Map<String, String> given = Map.of(
                "api.max.requests", "7",
                "api.max.rate", "8",
                "api.max.connections.per.address", "9",
                "api.max.body.bytes", "2048");

        // when
        ApiLimits limits = ApiDoor.security(config(given)).limits();

        // then
        assertThat(limits.concurrent()).isEqualTo(7);
        assertThat(limits.ratePerSecond()).isEqualTo(8);
        assertThat(limits.connections().ofOne()).isEqualTo(9);
        assertThat(ApiDoor.settings(config(given)).maxBodyBytes()).isEqualTo(2048);
        assertThat(ApiDoor.security(config(Map.of())).limits()).isEqualTo(ApiLimits.DEFAULT);
    }

    /** A proxy on this machine passes the name on under which it was asked. */
    @Test
    void shouldAnswerBrowsersThatComeByPublicAddresses() {
        // given
        Map<String, String> given =
                Map.of("api.public.urls", "https://Ebb.example.com, http://proxy:8080", "api.insecure", "true");

        // when
        ApiSecurity security = ApiDoor.security(config(given));

        // then
        assertThat(security.origins()).containsExactlyInAnyOrder("https://ebb.example.com", "http://proxy:8080");
        assertThat(security.hosts())
                .containsExactlyInAnyOrder("ebb.example.com", "proxy", "localhost", "127.0.0.1", "[::1]");
        assertThat(ApiDoor.security(config(Map.of())).origins()).isEmpty();
    }

    private static EbbConfig config(Map<String, String> flags) {
        return EbbConfig.load(new ConfigSources(null, Map.of(), flags));
    }
}
