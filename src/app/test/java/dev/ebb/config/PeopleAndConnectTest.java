package dev.ebb.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeopleAndConnectTest {

    @Test
    @Tag("R-11")
    void shouldReadTheRolesOfPeople() {
        EbbConfig config = load("api.oidc.issuer=https://login.example;api.oidc.audience=ebb,ebb-console;"
                + "api.oidc.roles=privacy team=eraser,a=b=admin");
        assertThat(config.get(Settings.API_OIDC_ROLES)).isEqualTo(Map.of("privacy team", "eraser", "a=b", "admin"));
        assertThat(config.get(Settings.API_OIDC_AUDIENCE)).containsExactly("ebb", "ebb-console");
    }

    @Test
    @Tag("R-11")
    void shouldListenElsewhereWithPeopleInPlaceOfTokens() {
        assertThat(load("api.listen=0.0.0.0:8480;api.tls.certificate=c;api.tls.key=k;"
                                + "api.oidc.issuer=https://login.example;api.oidc.audience=ebb")
                        .apiUrl())
                .startsWith("https://0.0.0.0");
    }

    @Test
    @Tag("R-10")
    void shouldReadSeveralAddressesOfConnect() {
        assertThat(load("connect.urls=http://a:8083,https://b:8083").get(Settings.CONNECT_URLS))
                .containsExactly(URI.create("http://a:8083"), URI.create("https://b:8083"));
        assertThat(load("connect.urls=").get(Settings.CONNECT_URLS)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "api.oidc.issuer=https://login.example | tokens for any other application would do",
                "api.oidc.issuer=http://login.example;api.oidc.audience=ebb | https://",
                "api.oidc.roles=a=root | viewer, operator",
                "api.oidc.roles==admin | NAME=WORD",
                "api.second.person=on | needs callers with names",
                "connect.auth=basic | must name the file",
                "connect.auth.file=secret | connect.auth",
                "connect.urls=http://a:8083,b:8083 | http://",
                "connect.sink=auto;sql.url=jdbc:postgresql://db/ebb | connect.urls"
            })
    void shouldRefuseSettingsThatDoNotFit(String flags, String said) {
        assertThatThrownBy(() -> load(flags)).hasMessageContaining(said);
    }

    private static EbbConfig load(String flags) {
        return EbbConfig.load(ConfigSources.ofFlags(Arrays.stream(flags.split(";"))
                .map(flag -> flag.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]))));
    }
}
