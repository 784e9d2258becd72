package dev.ebb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("A-14")
class ConnectorFilesTest {

    private static final String LOG = "app-events-changelog";

    private static final String SECRET = "s3$cret\\";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"ebb", "debezium"})
    void shouldFillTheConnectorsThatComeWithEbb(String sink) {
        // when
        List<ConnectorConfig> configs = files(settings(sink, Optional.empty())).read(Optional.empty());

        // then
        assertThat(configs)
                .extracting(ConnectorConfig::name)
                .containsExactly("app-events", "app-executions", "app-policies", "app-audit");
        assertThat(configs)
                .extracting(ConnectorConfig::topic)
                .containsExactly(
                        sink.equals("ebb") ? "app-events-changelog" : "t.mirror.events",
                        "t.mirror.executions",
                        "t.mirror.policies",
                        "t.mirror.audit");
        assertThat(configs.get(0).settings())
                .containsEntry("connection.url", "jdbc:postgresql://db/ebb")
                .containsEntry("connection.password", SECRET)
                .containsEntry("consumer.override.isolation.level", "read_committed");
    }

    @Test
    void shouldSendASchemaAsItsText() {
        // when
        ConnectorConfig config = files(settings("debezium", Optional.empty()))
                .read(Optional.empty())
                .get(0);

        // then
        assertThat(config.settings().get("key.converter.schema.content"))
                .startsWith("{\"type\":\"struct\",\"fields\":[{\"field\":\"stored_at\"");
    }

    @Test
    void shouldGiveTheSinkAReferenceToThePasswordFile() {
        // given
        MirrorSettings settings = settings(Optional.of(Path.of("/run/secrets/sql")));

        // when
        ConnectorConfig config = files(settings).read(Optional.empty()).get(0);

        // then
        assertThat(config.settings()).containsEntry("connection.password", "${directory:/run/secrets:sql}");
        assertThat(config.settings().toString()).doesNotContain(SECRET);
    }

    @Test
    void shouldPrintNoPassword() {
        // given
        MirrorSettings settings = settings(Optional.empty());

        // then
        assertThat(settings.toString()).doesNotContain(SECRET);
        assertThat(files(settings).read(Optional.empty()).toString()).doesNotContain(SECRET);
    }

    @Test
    void shouldReadAFolderAndLeaveReferencesOfTheWorkerAlone() throws IOException {
        // given
        Files.writeString(folder.resolve("b.json"), "{\"name\":\"b\",\"config\":{\"x\":\"${env:HOME}\",\"n\":3}}");
        Files.writeString(folder.resolve("a.json"), "{\"name\":\"a-${application.id}\",\"config\":{}}");
        Files.writeString(folder.resolve("README.md"), "not one");

        // when
        List<ConnectorConfig> configs = files(settings(Optional.empty())).read(Optional.of(folder));

        // then
        assertThat(configs).extracting(ConnectorConfig::name).containsExactly("a-app", "b");
        assertThat(configs.get(1).settings()).isEqualTo(Map.of("x", "${env:HOME}", "n", "3"));
    }

    @Test
    void shouldNameTheFileWithAnUnknownPlaceholder() throws IOException {
        // given
        Files.writeString(folder.resolve("a.json"), "{\"name\":\"a\",\"config\":{\"x\":\"${sql.host}\"}}");

        // then
        assertThatThrownBy(() -> files(settings(Optional.empty())).read(Optional.of(folder)))
                .isInstanceOf(SqlMirrorException.class)
                .hasMessageContaining("a.json")
                .hasMessageContaining("${sql.host}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "io.debezium.connector.jdbc.JdbcSinkConnector | \"log.enabled\":\"true\"",
                "dev.ebb.sink.MirrorSinkConnector | \"table\":\"event\""
            })
    void shouldRefuseAConnectorThatCannotReadTheLog(String type, String setting) throws IOException {
        // given
        connector("mine", LOG, type, setting);

        // then
        assertThatThrownBy(() -> SinkWatch.connectors(settingsWithFolder(true), SinkChoice.named("ebb")))
                .isInstanceOf(SqlMirrorException.class)
                .hasMessageContainingAll("mine cannot read " + LOG, "config/connect/ebb", "mirror.json=on");
    }

    @Test
    void shouldRefuseAConnectorThatReadsATopicToWhichNothingIsSent() throws IOException {
        // given
        connector("mine", "t.mirror.events", "io.debezium.connector.jdbc.JdbcSinkConnector", "\"x\":\"y\"");

        // then
        assertThatThrownBy(() -> SinkWatch.connectors(settingsWithFolder(false), SinkChoice.named("ebb")))
                .isInstanceOf(SqlMirrorException.class)
                .hasMessageContainingAll("mine reads t.mirror.events", "set mirror.json=on");
        assertThat(SinkWatch.connectors(settingsWithFolder(true), SinkChoice.named("ebb")))
                .hasSize(1);
    }

    private void connector(String name, String topic, String type, String setting) throws IOException {
        Files.writeString(
                folder.resolve("a.json"),
                "{\"name\":\"" + name + "\",\"config\":{\"topics\":\"" + topic + "\",\"connector.class\":\"" + type
                        + "\"," + setting + "}}");
    }

    @Test
    void shouldRefuseAFolderWithoutConnectors() {
        assertThatThrownBy(() -> files(settings(Optional.empty())).read(Optional.of(folder)))
                .isInstanceOf(SqlMirrorException.class)
                .hasMessageContaining("no connector");
    }

    private static ConnectorFiles files(MirrorSettings settings) {
        return new ConnectorFiles(settings.sink(), settings.placeholders(SinkChoice.named(settings.sink())));
    }

    private MirrorSettings settingsWithFolder(boolean isJsonSent) {
        SqlSettings sql = new SqlSettings("jdbc:postgresql://db/ebb", "ebb", SECRET, Optional.empty());
        return new MirrorSettings(
                "app", "t.", sql, Optional.empty(), "ebb", isJsonSent, LOG, Optional.of(folder), Map.of());
    }

    private static MirrorSettings settings(Optional<Path> passwordFile) {
        return settings("ebb", passwordFile);
    }

    private static MirrorSettings settings(String sink, Optional<Path> passwordFile) {
        SqlSettings sql = new SqlSettings("jdbc:postgresql://db/ebb", "ebb", SECRET, passwordFile);
        return new MirrorSettings(
                "app",
                "t.",
                sql,
                Optional.of(new ConnectAccess(
                        List.of(URI.create("http://127.0.0.1:8083")), Optional.empty(), Optional.empty())),
                sink,
                !sink.equals("ebb"),
                LOG,
                Optional.empty(),
                Map.of());
    }
}
