package dev.ebb.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.process.Service;
import dev.ebb.it.Await;
import dev.ebb.it.ShortStory;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.stacks.Endpoints;
import java.net.URI;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One short story for each row of versions: an event arrives, a policy, the row in SQL, a delete, no row, the audit. The
 * profile {@code matrix} runs it; {@code -Dmatrix.only=TEXT} runs the rows whose name contains the text.
 */
@Tag("R-12")
@Timeout(600)
class MatrixSuite {

    private static final String HOME = "ebb.home";

    @TempDir
    private Path folder;

    /** Each version once; the plain build runs the versions of the pom together. */
    static Stream<MatrixRow> rows() {
        return Stream.of(
                        new MatrixRow("3.9.2", 25, "14.24.0"),
                        new MatrixRow("4.0.2", 17, "15.19.0"),
                        new MatrixRow("4.3.1", 25, "16.15.0"),
                        new MatrixRow("4.4.0", 25, "18.6.0"))
                .filter(row -> row.toString().contains(System.getProperty("matrix.only", "")));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void shouldStoreMirrorDeleteAndAudit(MatrixRow row) throws Exception {
        // given
        Path java = OtherVersions.java(row.java());
        assumeTrue(java != null, "no JDK " + row.java() + " in /usr/lib/jvm");
        String root = System.getProperty(HOME, "");
        OtherVersions versions = new OtherVersions(Path.of(root).toAbsolutePath());
        OtherBroker broker = new OtherBroker(versions.broker(row.broker()), folder).start();
        System.setProperty(HOME, versions.homeWithPostgres(row.postgres()).toString());
        try (DevStack stack = DevStack.builder(folder.resolve("stack"))
                .broker(broker)
                .without(Service.REGISTRY)
                .setting("schema.registry.url", "")
                .appProgram(List.of(
                        java.toString(),
                        "-Xmx256m",
                        "-cp",
                        Path.of(root, "target/ebb/lib/ebb.jar").toString(),
                        "dev.ebb.cli.Main",
                        "run"))
                .withApp(false)
                .start()) {
            EbbConfig config = EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), Map.of()));
            new KafkaSession(config).topics(TopicAdmin::create);
            stack.app().start();

            // when, then
            tell(stack.endpoints(), row);
        } finally {
            System.setProperty(HOME, root);
            broker.close();
        }
        System.out.println("Tried: " + row);
    }

    private static void tell(Endpoints endpoints, MatrixRow row) throws Exception {
        assertThat(value(endpoints, "SHOW server_version"))
                .startsWith(row.postgres().replaceAll("\\.0$", ""));
        ShortStory story = new ShortStory(URI.create(endpoints.apiUrl()));
        story.awaitReady();
        story.begin();
        String rows = "SELECT count(*) FROM event WHERE stream = 'a'";
        Await.until("the row", () -> value(endpoints, rows).equals("1") ? "" : "no row");
        story.end();
        Await.until("no row", () -> value(endpoints, rows).equals("0") ? "" : "still a row");
        Await.until(
                "the audit",
                () -> value(endpoints, "SELECT count(*) FROM retention_audit WHERE stream = 'a'")
                                .equals("1")
                        ? ""
                        : "no record");
        assertThat(story.body("/v1/status")).contains("RUNNING");
    }

    private static String value(Endpoints endpoints, String query) throws Exception {
        try (var connection =
                        DriverManager.getConnection(endpoints.jdbcUrl(), endpoints.sqlUser(), endpoints.sqlPassword());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
