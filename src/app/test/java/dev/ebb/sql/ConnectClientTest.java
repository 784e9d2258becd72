package dev.ebb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.sql.ConnectLogin.Scheme;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R-10")
class ConnectClientTest {

    @TempDir
    private Path folder;

    private FakeConnect connect;

    @BeforeEach
    void startConnect() throws IOException {
        connect = new FakeConnect();
    }

    @AfterEach
    void stopConnect() {
        connect.close();
    }

    @Test
    void shouldAskTheNextAddressWhereNothingAnswersAndKeepToIt() throws Exception {
        // given
        URI closed = closedPort();
        var client = new ConnectClient(access(List.of(closed, connect.url()), Optional.empty()));

        // when, then
        assertThat(client.plugins()).isNotEmpty();
        assertThat(client.plugins()).isNotEmpty();
        assertThat(connect.calls).hasSize(2);
    }

    @Test
    void shouldAskTheFirstAddressAgainOnceTheSecondIsAway() throws Exception {
        // given
        FakeConnect second = new FakeConnect();
        connect.close();
        var client = new ConnectClient(access(List.of(connect.url(), second.url()), Optional.empty()));
        client.plugins();
        second.close();

        // when, then
        assertThatThrownBy(client::plugins)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nothing answers at")
                .hasMessageContaining(connect.url().toString())
                .hasMessageContaining(second.url().toString());
    }

    @ParameterizedTest
    @CsvSource({"BASIC, eva:s3cret, Basic ZXZhOnMzY3JldA==", "BEARER, abc.def, Bearer abc.def"})
    void shouldSendTheSecretOfTheFileAndFollowItsChange(Scheme scheme, String secret, String header) throws Exception {
        // given
        connect.authorization = header;
        Path file = Files.writeString(folder.resolve("secret"), "a:wrong-one\n");
        var client = new ConnectClient(access(List.of(connect.url()), Optional.of(new ConnectLogin(scheme, file))));
        assertThatThrownBy(client::plugins).hasMessageContaining("HTTP 401").hasMessageContaining("connect.auth.file");

        // when
        Files.writeString(file, secret + "\n");

        // then
        assertThat(client.plugins()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'', one line", "'a:b\nc', one line", "password, user:password"})
    void shouldNameAFileThatHoldsNoSecretAndNothingOfIt(String content, String said) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), content);
        var login = new ConnectLogin(Scheme.BASIC, file);
        assertThatThrownBy(login::header)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(said)
                .hasMessageContaining(file.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "false, ebb, dev.ebb.sink.MirrorSinkConnector, io.debezium.connector.jdbc.JdbcSinkConnector",
        "true, ebb, dev.ebb.sink.MirrorSinkConnector, io.debezium.connector.jdbc.JdbcSinkConnector",
        "true, debezium, io.debezium.connector.jdbc.JdbcSinkConnector, io.aiven.connect.jdbc.JdbcSinkConnector",
        "true, jdbc, io.aiven.connect.jdbc.JdbcSinkConnector, io.confluent.connect.jdbc.JdbcSinkConnector",
        "true, jdbc, io.confluent.connect.jdbc.JdbcSinkConnector, org.example.Other"
    })
    void shouldChooseTheBestSinkThatTheWorkerHas(boolean isJsonSent, String folderName, String best, String other)
            throws Exception {
        connect.plugins = List.of(other, best);
        SinkChoice choice = SinkChoice.by(new ConnectClient(connect.access()), isJsonSent);
        assertThat(choice).isEqualTo(new SinkChoice(folderName, best));
    }

    @ParameterizedTest
    @CsvSource({
        "true, org.example.Other, no sink for SQL",
        "false, org.example.Other, no sink for SQL",
        "false, io.debezium.connector.jdbc.JdbcSinkConnector, mirror.json=on"
    })
    void shouldSayWhatTheWorkerLacks(boolean isJsonSent, String plugin, String said) {
        connect.plugins = List.of(plugin);
        assertThatThrownBy(() -> SinkChoice.by(new ConnectClient(connect.access()), isJsonSent))
                .isInstanceOf(SqlMirrorException.class)
                .hasMessageContaining("ebb-sink")
                .hasMessageContaining(said);
    }

    @Test
    void shouldShowWhyNoSinkIsChosenAndChooseLater() throws Exception {
        // given
        connect.plugins = List.of("org.example.Other");
        SqlSettings sql = new SqlSettings("jdbc:postgresql://db/ebb?ssl=true", "ebb", "secret", Optional.empty());
        var sinks = new WatchedSinks(
                new MirrorSettings(
                        "app",
                        "t.",
                        sql,
                        Optional.of(connect.access()),
                        "auto",
                        true,
                        "log",
                        Optional.empty(),
                        java.util.Map.of("bootstrap.servers", "127.0.0.1:1")),
                connect.access());
        assertThatThrownBy(sinks::watch).isInstanceOf(SqlMirrorException.class);
        assertThat(sinks.statuses()).hasSize(4).allSatisfy(status -> {
            assertThat(status.state()).isEqualTo(ConnectorStatus.MISSING);
            assertThat(status.problem().orElse("")).contains("no sink for SQL");
        });

        // when
        connect.plugins = List.of("io.aiven.connect.jdbc.JdbcSinkConnector");
        sinks.watch().supervisor().look(true);

        // then
        assertThat(connect.configs).hasSize(4).allSatisfy((name, settings) -> assertThat(settings)
                .containsEntry("connector.class", "io.aiven.connect.jdbc.JdbcSinkConnector")
                .containsEntry("connection.url", "jdbc:postgresql://db/ebb?ssl=true&stringtype=unspecified"));
        assertThat(connect.configs.get("app-events")).containsEntry("pk.fields", "stored_at,stream,event_id");
        sinks.close();
    }

    private static ConnectAccess access(List<URI> urls, Optional<ConnectLogin> login) {
        return new ConnectAccess(urls, login, Optional.empty());
    }

    private static URI closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
    }
}
