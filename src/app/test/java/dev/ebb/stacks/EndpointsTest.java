package dev.ebb.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EndpointsTest {
    private static final Endpoints ENDPOINTS = new Endpoints(
            "127.0.0.1:9092",
            "http://127.0.0.1:8081/apis/ccompat/v7",
            "http://127.0.0.1:8083",
            "jdbc:postgresql://127.0.0.1:5432/ebb",
            "ebb",
            "geheim",
            Path.of("/data/secrets/sql-password"),
            "http://127.0.0.1:8480");

    @TempDir
    private Path dataDir;

    @Test
    void shouldWriteSettingsOfTheApplication() throws IOException {
        // when
        var file = ENDPOINTS.write(dataDir, Map.of("state.dir", "/state"));

        // then
        var settings = new Properties();
        try (var in = Files.newBufferedReader(file)) {
            settings.load(in);
        }
        assertThat(settings)
                .containsOnly(
                        Map.entry("bootstrap.servers", "127.0.0.1:9092"),
                        Map.entry("schema.registry.url", "http://127.0.0.1:8081/apis/ccompat/v7"),
                        Map.entry("connect.urls", "http://127.0.0.1:8083"),
                        Map.entry("sql.url", "jdbc:postgresql://127.0.0.1:5432/ebb"),
                        Map.entry("sql.user", "ebb"),
                        Map.entry("sql.password.file", "/data/secrets/sql-password"),
                        Map.entry("api.listen", "127.0.0.1:8480"),
                        Map.entry("state.dir", "/state"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldBeFoundOnlyWhileTheStackHoldsItsFolder() throws IOException {
        // given
        StackLock.acquire(dataDir).close();
        ENDPOINTS.write(dataDir, Map.of());

        // when, then
        assertThat(Endpoints.settingsFile(dataDir)).isEmpty();
        try (var lock = StackLock.acquire(dataDir)) {
            assertThat(Endpoints.settingsFile(dataDir)).contains(dataDir.resolve("ebb.properties"));
        }
        assertThat(Endpoints.settingsFile(dataDir)).isEmpty();
    }

    @Test
    void shouldNotBeFoundBeforeTheStackIsUp() throws IOException {
        try (var lock = StackLock.acquire(dataDir)) {
            assertThat(Endpoints.settingsFile(dataDir)).isEmpty();
        }
    }

    @Test
    void shouldPrintNoPassword() {
        assertThat(ENDPOINTS).asString().contains("127.0.0.1:9092").doesNotContain("geheim");
    }
}
