package dev.ebb.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.policy.Limit;
import dev.ebb.serde.schemas.AvroSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EbbConfigTest {

    @TempDir
    private Path folder;

    /** an empty URL is an answer, and not the default. */
    @Test
    void shouldTakeAnEmptyRegistryForNone() {
        // when
        EbbConfig config = EbbConfig.load(ConfigSources.of(null, Map.of(), Map.of("schema.registry.url", "")));

        // then
        assertThat(AvroSettings.of(config.schemaRegistryProperties()).hasRegistry())
                .isFalse();
        assertThat(AvroSettings.of(Map.of()).hasRegistry()).isTrue();
    }

    @Test
    void shouldUseDefaultsWhenNothingIsGiven() {
        // when
        EbbConfig config = EbbConfig.load(ConfigSources.ofFlags(Map.of()));

        // then
        assertThat(config.get(Settings.COMMIT_INTERVAL)).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.get(Settings.RETENTION_DEFAULT_MAX_AGE))
                .isEqualTo(Limit.of(Duration.ofDays(30).toMillis()));
        assertThat(config.get(Settings.SWEEP_INTERVAL)).isEmpty();
        assertThat(config.get(Settings.TERMINAL_STATUSES).isTerminal("Read")).isTrue();
        assertThat(config.get(Settings.STATE_DIR)).isEqualTo(Path.of(System.getProperty("user.home"), ".ebb", "state"));
        assertThat(config.apiAdvertised()).isEqualTo(new Address("127.0.0.1", 8480));
    }

    @Test
    void shouldTakeTheStrongestSourceOfEachSetting() throws IOException {
        // given
        Path file = file("topics.partitions=2\nstream.threads=2\nstandby.replicas=2\n");
        Map<String, String> environment = Map.of("EBB_STREAM_THREADS", "3", "EBB_STANDBY_REPLICAS", "3", "HOME", "x");
        Map<String, String> flags = Map.of("standby.replicas", "4");

        // when
        EbbConfig config = EbbConfig.load(new ConfigSources(file, environment, flags));

        // then
        assertThat(config.get(Settings.TOPICS_REPLICATION_FACTOR)).isEqualTo(1);
        assertThat(config.get(Settings.TOPICS_PARTITIONS)).isEqualTo(2);
        assertThat(config.get(Settings.STREAM_THREADS)).isEqualTo(3);
        assertThat(config.get(Settings.STANDBY_REPLICAS)).isEqualTo(4);
    }

    @Test
    void shouldTakeTheFileOfTheFlagBeforeThatOfTheEnvironment() throws IOException {
        // given
        Path ofFlag = file("topics.partitions=2\n");
        Map<String, String> environment =
                Map.of("EBB_CONFIG", folder.resolve("other").toString());

        // when
        EbbConfig config = EbbConfig.load(ConfigSources.of(ofFlag, environment, Map.of()));

        // then
        assertThat(config.get(Settings.TOPICS_PARTITIONS)).isEqualTo(2);
    }

    @Test
    void shouldNameEveryProblemAndItsSourceAtOnce() throws IOException {
        // given
        Path file = file("topics.partition=2\nsql.pasword=geheim\nsweep.slice=30 seconds\nsweep.slice=20ms\n");
        Map<String, String> environment = Map.of("EBB_STREAM_THREADS", "0", "EBB_COMMIT_INTERVAL", "soon");
        Map<String, String> flags = Map.of("processing.guarantee", "exactly_twice", "kafka.acks", "1");

        // when
        var problems = problemsOf(new ConfigSources(file, environment, flags));

        // then
        assertThat(problems.problems())
                .extracting(ConfigProblem::toString)
                .containsExactlyInAnyOrder(
                        "sweep.slice: is set twice (from file " + file + ")",
                        "topics.partition: is not a setting; did you mean topics.partitions? (from file " + file + ")",
                        "sql.pasword: is not a setting; did you mean sql.password? (from file " + file + ")",
                        "stream.threads=0: must be at least 1 (from environment EBB_STREAM_THREADS)",
                        "commit.interval=soon: is not a duration; write for example 500ms, 15m, 24h, 30d or P30D"
                                + " (from environment EBB_COMMIT_INTERVAL)",
                        "processing.guarantee=exactly_twice: must be one of exactly_once_v2, at_least_once"
                                + " (from --set processing.guarantee)",
                        "kafka.acks=1: must not be passed through; Ebb's guarantees depend on its own value (from"
                                + " --set kafka.acks)");
        assertThat(problems).hasMessageStartingWith("the configuration has 7 problems:\n  ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        topics.partitions           | many                     | must be a number
        topics.partitions           | 0                        | must be at least 1
        sweep.enabled               | perhaps                  | must be a boolean
        retention.default.max.age   | 0s                       | must be at least 1ms
        topics.tombstone.retention  | 6d                       | must be at least 7d
        application.id              | a/b                      | must be made of letters
        terminal.statuses           | read,,done               | must be words
        schema.registry.url         | registry:8081            | must begin with http://
        schema.registry.ulr         | http://x                 | did you mean schema.registry.url
        sql.url                     | jdbc:mysql://x           | must begin with jdbc:postgresql:
        connect.urls                 | http://a b               | Illegal character in authority
        api.listen                  | 8480                     | must be host:port
        api.listen                  | 127.0.0.1:70000          | must be host:port
        api.listen                  | 0.0.0.0:8480             | or allow it with api.insecure=true
        health.listen               | 8481                     | must be host:port
        api.public.urls             | ebb.example.com          | must be addresses such as https://ebb.example.com
        api.public.urls             | ftp://ebb.example.com    | must be addresses
        api.public.urls             | https://a,               | must be addresses
        api.public.urls             | https://a/ebb            | without a path
        api.public.urls             | https://a?b              | must be addresses
        api.public.urls             | https://anna@a           | must be addresses
        api.public.urls             | https://a:0              | must be addresses
        api.public.urls             | https://a:65536          | must be addresses
        api.public.urls             | https://a b              | must be addresses
        api.public.urls             | https://a                | or allow it with api.insecure=true
        api.max.connections.per.address | 0                    | must be
        api.max.connections.per.address | 1001                 | must be
        rocksdb.write.buffer.bytes  | 134217728                | must be less than rocksdb.block.cache.bytes
        kafka.bootstrap.servers     | x:9092                   | set bootstrap.servers
        """)
    void shouldRefuseBadValues(String key, String value, String fault) {
        assertThatThrownBy(() -> EbbConfig.load(ConfigSources.ofFlags(Map.of(key, value))))
                .isInstanceOf(ConfigProblemsException.class)
                .hasMessageContaining(key + "=" + value + ": ")
                .hasMessageContaining(fault);
    }

    /** Browsers name an origin in lower case, and its port where it is not the usual one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
        none                                        | []
        https://Ebb.Example.com                     | [https://ebb.example.com]
        https://a:443/, http://b:80                 | [http://b, https://a]
        https://a:444,http://b:443,https://[::1]:80 | [http://b:443, https://[::1]:80, https://a:444]
        https://a:65535                             | [https://a:65535]
        """)
    void shouldReadPublicAddressesAsBrowsersNameThem(String value, String origins) {
        // given
        Map<String, String> flags =
                value == null ? Map.of() : Map.of("api.public.urls", value, "api.tokens.file", "tokens");

        // when
        PublicUrls urls = EbbConfig.load(ConfigSources.ofFlags(flags)).get(Settings.API_PUBLIC_URLS);

        // then
        assertThat(new TreeSet<>(urls.origins())).hasToString(origins);
    }

    @Test
    void shouldAllowOtherAddressesWhenAskedTo() {
        // given
        Map<String, String> flags = Map.of("api.listen", "0.0.0.0:8480", "api.insecure", "true");

        // when
        EbbConfig config = EbbConfig.load(ConfigSources.ofFlags(flags));

        // then
        assertThat(config.get(Settings.API_LISTEN).host()).isEqualTo("0.0.0.0");
    }

    @Test
    void shouldAllowOtherAddressesWithTokensAndTlsAndNothingLess() {
        Map<String, String> all = Map.of(
                "api.listen", "0.0.0.0:8480",
                "api.tokens.file", "tokens",
                "api.tls.certificate", "tls.crt",
                "api.tls.key", "tls.key");
        assertThat(EbbConfig.load(ConfigSources.ofFlags(all)).apiUrl()).isEqualTo("https://0.0.0.0:8480");

        Map<String, String> withoutTokens = new HashMap<>(all);
        withoutTokens.remove("api.tokens.file");
        assertThat(problemsOf(ConfigSources.ofFlags(withoutTokens)))
                .hasMessageContaining("which needs tokens (api.tokens.file")
                .hasMessageContaining("ebb run --insecure");
        Map<String, String> withoutTls = Map.of("api.listen", "0.0.0.0:8480", "api.tokens.file", "tokens");
        assertThat(problemsOf(ConfigSources.ofFlags(withoutTls)))
                .hasMessageContaining("which needs TLS (api.tls.certificate and api.tls.key)");
        assertThat(problemsOf(ConfigSources.ofFlags(Map.of("api.tls.key", "tls.key"))))
                .hasMessageContaining("needs api.tls.certificate");
    }

    @Test
    void shouldRefuseAStaticMemberOfTheStreamsProtocol() {
        Map<String, String> flags = Map.of("group.protocol", "streams", "group.instance.id", "a");

        assertThat(problemsOf(ConfigSources.ofFlags(flags))).hasMessageContaining("group.instance.id=a");
    }

    @Test
    void shouldSendJsonWhereItIsAskedForAndForASinkThatReadsNothingElse() {
        Map<String, String> wrong = Map.of("connect.sink", "debezium");
        Map<String, String> right = Map.of("connect.sink", "debezium", "mirror.json", "on");

        assertThat(problemsOf(ConfigSources.ofFlags(wrong)))
                .hasMessageContaining("mirror.json")
                .hasMessageContaining("must be on with connect.sink=debezium");
        assertThat(EbbConfig.load(ConfigSources.ofFlags(right)).get(Settings.MIRROR_JSON))
                .isEqualTo("on");
        assertThat(EbbConfig.load(ConfigSources.ofFlags(Map.of())).get(Settings.MIRROR_JSON))
                .isEqualTo("off");
    }

    @Test
    void shouldPassKeysThroughWithoutTheirPrefix() {
        // given
        Map<String, String> environment = Map.of("EBB_KAFKA_SECURITY_PROTOCOL", "SSL");
        Map<String, String> flags = Map.of("schema.registry.basic.auth.user.info", "a:b");

        // when
        EbbConfig config = EbbConfig.load(new ConfigSources(null, environment, flags));

        // then
        assertThat(config.kafkaProperties()).isEqualTo(Map.of("security.protocol", "SSL"));
        assertThat(config.schemaRegistryProperties())
                .containsEntry("schema.registry.basic.auth.user.info", "a:b")
                .containsEntry("schema.registry.url", "http://127.0.0.1:8081");
    }

    @Test
    @Tag("O-17")
    void shouldReadTheSecretOfInstancesFromAFileAndShowItNowhere() throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("peer.secret"), "0123456789abcdef\n");

        // when
        EbbConfig config = EbbConfig.load(ConfigSources.ofFlags(Map.of("api.peer.secret.file", file.toString())));
        EbbConfig shown = EbbConfig.load(ConfigSources.ofFlags(Map.of("api.peer.secret", "0123456789abcdef")));

        // then
        assertThat(config.get(Settings.API_PEER_SECRET)).isEqualTo("0123456789abcdef");
        assertThat(shown.get(Settings.API_PEER_SECRET)).isEqualTo("0123456789abcdef");
        assertThat(shown.toString()).contains("api.peer.secret=[hidden]").doesNotContain("0123456789abcdef");
        assertThat(EbbConfig.load(ConfigSources.ofFlags(Map.of())).get(Settings.API_PEER_SECRET))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"15,false", "16,true", "17,true", "199,true", "200,true", "201,false"})
    @Tag("O-17")
    void shouldTakeSecretsOfInstancesThatAreHardToGuess(int length, boolean isGood) {
        // given
        ConfigSources sources = ConfigSources.ofFlags(Map.of("api.peer.secret", "x".repeat(length)));

        // then
        if (isGood) {
            assertThat(EbbConfig.load(sources).get(Settings.API_PEER_SECRET)).hasSize(length);
        } else {
            assertThatThrownBy(() -> EbbConfig.load(sources)).hasMessageContaining("16 to 200");
        }
        String split = "0123456789 abcdefgh";
        assertThatThrownBy(() -> EbbConfig.load(ConfigSources.ofFlags(Map.of("api.peer.secret", split))))
                .hasMessageContaining("without blanks")
                .hasMessageNotContaining(split);
    }

    @Test
    void shouldReadPasswordsFromTheirFiles() throws IOException {
        // given
        Path secret = folder.resolve("secret");
        Files.writeString(secret, "geheim\n");
        Map<String, String> flags =
                Map.of("sql.password.file", secret.toString(), "kafka.ssl.key.password.file", secret.toString());

        // when
        EbbConfig config = EbbConfig.load(ConfigSources.ofFlags(flags));

        // then
        assertThat(config.get(Settings.SQL_PASSWORD)).isEqualTo("geheim");
        assertThat(config.kafkaProperties()).isEqualTo(Map.of("ssl.key.password", "geheim"));
    }

    @Test
    @Tag("T-17")
    void shouldRefuseASecretThatEveryAccountMayWrite() throws IOException {
        // given
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-rw-rw-"));
        for (String key : List.of("sql.password.file", "api.peer.secret.file", "kafka.ssl.keystore.password.file")) {
            // when
            var problems = problemsOf(ConfigSources.ofFlags(Map.of(key, secret.toString())));

            // then
            assertThat(problems)
                    .hasMessageContaining(key + "=" + secret + ": all users of this machine may write the file")
                    .hasMessageContaining("chmod o-w " + secret)
                    .hasMessageNotContaining("0123456789abcdef");
        }
    }

    @Test
    void shouldRefuseAPasswordBesideItsFileAndAFileThatIsNotThere() {
        // given
        String missing = folder.resolve("missing").toString();
        Map<String, String> flags =
                Map.of("sql.password", "geheim", "sql.password.file", missing, "kafka.ssl.key.password.file", missing);

        // when
        var problems = problemsOf(ConfigSources.ofFlags(flags));

        // then
        assertThat(problems)
                .hasMessageContaining("cannot be set together with sql.password")
                .hasMessageContaining("kafka.ssl.key.password.file=" + missing + ": cannot be read")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void shouldNotPrintSecrets() {
        // given
        Map<String, String> flags = Map.of(
                "sql.password", "geheim",
                "kafka.sasl.jaas.config", "geheim",
                "schema.registry.basic.auth.user.info", "geheim",
                "kafka.acks.password", "geheim",
                "stream.threads", "3");

        // when
        EbbConfig config = EbbConfig.load(ConfigSources.ofFlags(flags));

        // then
        assertThat(config.toString())
                .contains("sql.password=[hidden]", "stream.threads=3")
                .doesNotContain("geheim");
    }

    @Test
    void shouldIgnoreVariablesThatAreNoSettings() {
        // given
        Map<String, String> environment = Map.of(
                "EBB_SERVICE_HOST", "10.0.0.1",
                "EBB_PORT_8480_TCP", "tcp://10.0.0.1:8480",
                "EBB_API_URL", "http://127.0.0.1:1",
                "EBB_HOME", "x",
                "HOME", "x");

        // when
        EbbConfig config = EbbConfig.load(new ConfigSources(null, environment, Map.of()));

        // then
        assertThat(config.toString()).isEmpty();
    }

    @Test
    void shouldSayThatTheFileCannotBeRead() {
        Path missing = folder.resolve("missing.properties");

        assertThat(problemsOf(ConfigSources.of(missing, Map.of(), Map.of())).problems())
                .extracting(ConfigProblem::key, ConfigProblem::value)
                .containsExactly(tuple("--config", missing.toString()));
    }

    @Test
    void shouldSayThatTheFileIsAFolderOrNoText() throws IOException {
        Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff, (byte) 0xfe});

        assertThat(problemsOf(ConfigSources.of(folder, Map.of(), Map.of())))
                .hasMessageContaining("is a folder")
                .hasMessageNotContaining("java.");
        assertThat(problemsOf(ConfigSources.of(bytes, Map.of(), Map.of())))
                .hasMessageContaining("is not UTF-8")
                .hasMessageNotContaining("java.");
    }

    @Test
    void shouldReadValuesWithBlanksAroundThem() {
        // given
        Map<String, String> flags = Map.of("rocksdb.write.buffer.bytes", " 1048576 ", "api.insecure", "TRUE ");

        // when
        EbbConfig config = EbbConfig.load(ConfigSources.ofFlags(flags));

        // then
        assertThat(config.get(Settings.ROCKSDB_WRITE_BUFFER_BYTES)).isEqualTo(1_048_576L);
        assertThat(config.get(Settings.API_INSECURE)).isTrue();
    }

    @Test
    void shouldTakeUnlimitedAndNoStatusAtAll() {
        // given
        Map<String, String> flags = Map.of("retention.default.max.age", "unlimited", "terminal.statuses", "");

        // when
        EbbConfig config = EbbConfig.load(ConfigSources.ofFlags(flags));

        // then
        assertThat(config.get(Settings.RETENTION_DEFAULT_MAX_AGE)).isEqualTo(Limit.NONE);
        assertThat(List.of("completed", "read")).noneMatch(config.get(Settings.TERMINAL_STATUSES)::isTerminal);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("ebb.properties"), text);
    }

    private static ConfigProblemsException problemsOf(ConfigSources sources) {
        return catchThrowableOfType(ConfigProblemsException.class, () -> EbbConfig.load(sources));
    }
}
