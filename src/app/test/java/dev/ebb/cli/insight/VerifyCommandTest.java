package dev.ebb.cli.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import dev.ebb.cli.FakeApi;
import dev.ebb.cli.client.Json;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-15")
class VerifyCommandTest {

    private static final String NOTHING = "{\"digests\":[],\"next\":null}";
    private static final String ROW = "{\"stream\":\"orders/1\",\"storedAt\":\"2026-11-30T23:59:59.999999Z\","
            + "\"eventId\":\"a\\u001b[31m\",\"execution\":null,\"what\":\"DIFFERS\",\"fields\":[\"type\",\"payload\"],"
            + "\"version\":\"v\",\"moving\":false}";

    private FakeApi api;

    @BeforeEach
    void start() throws IOException {
        api = new FakeApi();
        api.answer("GET /v1/verify", 200, "{\"partitions\":1,\"mark\":\"7;8\"}")
                .answer("GET /v1/verify/passed?mark=7%3B8", 200, "{\"passed\":true}")
                .answer("GET /v1/verify/sql?table=EXECUTIONS", 200, NOTHING)
                .answer("GET /v1/verify/partitions/0?table=EXECUTIONS", 200, NOTHING)
                .answer("GET /v1/verify/sql?table=EVENTS", 200, digests("1", "more"))
                .answer("GET /v1/verify/sql?table=EVENTS&after=more", 200, digests("2", null))
                .answer("GET /v1/verify/partitions/0?table=EVENTS", 200, digests("4", null));
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void shouldAddPagesUpAndSayThatBothAreEqual() {
        // given: the stored rows come in one part, those of SQL in two
        api.answer("GET /v1/verify/partitions/0?table=EVENTS", 200, digests("1", "more"))
                .answer("GET /v1/verify/partitions/0?table=EVENTS&after=more", 200, digests("2", null));

        // when
        CommandRun run = api.run("verify");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("Stores and SQL are equal.").containsPattern("event +2,000 +2,000");
    }

    @Test
    @Tag("O-16")
    void shouldNameWhatDiffersAndEndWithThree() throws Exception {
        // given
        String differences = "/v1/verify/partitions/0/differences";
        String rows = "{\"differences\":[" + ROW + "],\"next\":null}";
        api.answer("GET " + differences + "?table=EVENTS&stream=orders%2F1&month=2026-11", 200, rows)
                .answer("POST " + differences, 200, rows);

        // when
        CommandRun run = api.run("verify");

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
        assertThat(run.out())
                .contains("orders/1", "2026-11-30T23:59:59.999999Z", "differs", "type, payload", "1 row differs")
                .contains("'ebb verify --repair' puts that right")
                .doesNotContain("\u001b");
        assertThat(Json.parse(api.requests().get(api.requests().size() - 1).body())
                        .at("/rows/0")
                        .asText())
                .isEqualTo("2026-11-30T23:59:59.999999Z a\u001b[31m");
    }

    @Test
    void shouldTakeAReasonForARepairOnly() {
        assertThat(api.run("verify", "--reason", "why").exitCode()).isEqualTo(2);
        assertThat(api.run("verify", "--wait", "soon").exitCode()).isEqualTo(2);
    }

    @Test
    void shouldSayThatItIsNotReady() {
        // given
        api.answer("GET /v1/verify", 503, "{\"detail\":\"the SQL mirror has not been started yet\"}");

        // then
        CommandRun run = api.run("verify");
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err()).contains("has not been started yet");
    }

    private static String digests(String hash, String next) {
        return "{\"digests\":[{\"stream\":\"orders/1\",\"month\":\"2026-11\",\"rows\":1000,\"hash\":\"" + "0".repeat(31)
                + hash + "\"}],\"next\":" + (next == null ? null : "\"" + next + "\"") + "}";
    }
}
