package dev.ebb.api.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.ApiServer;
import dev.ebb.api.FakeMirror;
import dev.ebb.api.FakePorts;
import dev.ebb.api.LoneServer;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.MirrorCheck;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.port.MirrorCheck.GroupDigest;
import dev.ebb.port.MirrorCheck.What;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.serde.mirror.RowsDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("A-15")
@Timeout(60)
class VerifyResourceTest {

    private static final Difference DIFFERENT = new Difference(
            "s", RowKey.parse("2026-11-30T23:59:59.999999Z a b"), null, What.DIFFERS, List.of("type"), "v", false);

    private final FakePorts ports = new FakePorts();
    private final FakeMirror mirror = ports.insight.mirror;
    private ApiServer server;
    private ApiClient client;

    @BeforeEach
    void start() {
        server = LoneServer.of(ports.ports(), ApiSettings.at("127.0.0.1", 0));
        server.start();
        client = new ApiClient(server.port());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldAddPagesUpAndSayThatBothAreEqual() {
        // given: the stored rows come on two pages, the rows of SQL on one
        mirror.inSql.add(new GroupDigest("s", "2026-11", new RowsDigest(4, 2, -2)));

        // when
        JsonNode ended = ended(client.send("POST", "/v1/verify", null, ""));

        // then
        assertThat(ended.path("state").asText()).as(ended.toString()).isEqualTo("DONE");
        assertThat(ended.at("/result/equal").asBoolean()).isTrue();
        assertThat(ended.at("/result/event").toString()).isEqualTo("{\"stored\":4,\"sql\":4}");
        assertThat(ended.path("result").has("repair")).isFalse();
        assertThat(mirror.asked)
                .containsExactly(
                        "sql EVENTS null",
                        "stored 0 EVENTS null",
                        "stored 0 EVENTS more",
                        "sql EXECUTIONS null",
                        "stored 0 EXECUTIONS null");
    }

    @Test
    void shouldNameRowsToTheMicrosecond() {
        // given
        mirror.found.add(DIFFERENT);

        // when
        JsonNode ended = ended(client.send("POST", "/v1/verify?wait=3s", null, ""));

        // then
        assertThat(mirror.asked).contains("look s [2026-11-30T23:59:59.999999Z a b] []");
        assertThat(ended.at("/result/rows/0").toString())
                .isEqualTo("{\"stream\":\"s\",\"storedAt\":\"2026-11-30T23:59:59.999999Z\",\"eventId\":\"a b\","
                        + "\"execution\":null,\"what\":\"DIFFERS\",\"fields\":[\"type\"],\"table\":\"event\","
                        + "\"why\":null,\"byHand\":null}");
        assertThat(ports.commands.submitted).isEmpty();
    }

    @Test
    void shouldSendARepairWithItsAuthor() {
        // given
        mirror.found.add(DIFFERENT);

        // when
        JsonNode ended = ended(client.send("POST", "/v1/verify/repair?wait=3s&actor=eva&reason=why", null, ""));

        // then
        assertThat(ended.at("/result/repair/unhealed").asLong()).isEqualTo(1);
        var sent = ports.commands.submitted.get(0);
        assertThat(sent.actor() + " " + sent.reason()).isEqualTo("eva why");
        assertThat(sent.command())
                .isEqualTo(new Command.RepairMirror(new StreamName("s"), List.of(DIFFERENT.row()), List.of()));
    }

    @Test
    void shouldSayWhyARepairWasRefused() {
        // given
        mirror.found.add(DIFFERENT);
        ports.commands.state = State.REFUSED;
        ports.commands.refusal = Refusal.HELD;
        ports.commands.detail = "case 7";

        // then
        JsonNode ended = ended(client.send("POST", "/v1/verify/repair", null, ""));
        assertThat(ended.path("state").asText()).isEqualTo("FAILED");
        assertThat(ended.path("detail").asText()).contains("case 7");
    }

    @Test
    void shouldSayWhyThereIsNoResult() {
        // given: SQL goes away after the first question
        mirror.sqlFailure = new NotReadyException("cannot read the table event", Duration.ofSeconds(2));

        // then
        JsonNode ended = ended(client.send("POST", "/v1/verify", null, ""));
        assertThat(ended.path("state").asText()).isEqualTo("NOT_READY");
        assertThat(ended.path("detail").asText()).contains("cannot read the table event");
        assertThat(ended.path("result").isNull()).isTrue();
    }

    @Test
    void shouldRunTwoAtOnceAndForgetTheOldest() {
        // given: two comparisons that wait for a partition
        mirror.failure = null;
        mirror.partitionFailure = new NotReadyException("partition 0 is moving", Duration.ofSeconds(1));
        Answer first = client.send("POST", "/v1/verify?wait=1s", null, "");
        client.send("POST", "/v1/verify?wait=1s", null, "");

        // then
        assertThat(client.send("POST", "/v1/verify", null, "").status()).isEqualTo(409);
        assertThat(ended(first).path("detail").asText()).contains("partition 0 is moving");

        // when
        mirror.partitionFailure = null;
        mirror.inSql.add(new GroupDigest("s", "2026-11", new RowsDigest(4, 2, -2)));
        for (int i = 0; i < 3; i++) {
            ended(client.send("POST", "/v1/verify", null, ""));
        }

        // then
        assertThat(client.get(path(first)).status()).isEqualTo(404);
    }

    @Test
    void shouldAnswerInstancesAlone() {
        // given
        String question = "{\"partition\":0,\"table\":\"EVENTS\",\"after\":null}";

        // then
        assertThat(client.send("POST", "/v1/verify/stored", "application/json", question)
                        .json()
                        .path("detail")
                        .asText())
                .contains("only instances");
        JsonNode page = peer("stored", question).json();
        assertThat(page.path("next").asText()).isEqualTo("more");
        assertThat(page.at("/digests/0").toString())
                .isEqualTo("{\"stream\":\"s\",\"month\":\"2026-11\",\"digest\":{\"rows\":2,\"high\":1,\"low\":-1}}");
        assertThat(peer("look", "{\"stream\":\"s\",\"rows\":[{\"storedAt\":\"now\",\"eventId\":\"a\"}]}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    @Tag("O-17")
    void shouldSayWhereAPartitionIsAndWhyThereIsNoAnswer() {
        // given / then
        String question = "{\"partition\":1,\"table\":\"EVENTS\"}";
        mirror.failure = new OtherInstanceException("partition 1", "other:8480");
        assertThat(peer("stored", question).status()).isEqualTo(421);
        mirror.failure = new NotReadyException("cannot read the table event", Duration.ofSeconds(2));
        assertThat(client.send("POST", "/v1/verify", null, "").status()).isEqualTo(503);
        mirror.failure = new MirrorCheck.NoMirrorException();
        Answer none = client.send("POST", "/v1/verify", null, "");
        assertThat(none.json().path("detail").asText()).contains("sql.url");
        assertThat(none.status()).isEqualTo(422);
        assertThat(client.get("/v1/verify/7@nowhere:1").status()).isEqualTo(404);
    }

    @Test
    void shouldSendARepairToThePartitionOfItsStream() {
        // when
        post(
                "/v1/streams/orders%2F1/repair?wait=0&actor=eva&reason=why&commandId=c-1",
                "{\"rows\":[\"2026-11-30T23:59:59.999Z a\"],\"executions\":[7]}");

        // then
        Command.RepairMirror sent =
                (Command.RepairMirror) ports.commands.submitted.get(0).command();
        assertThat(sent.stream().value()).isEqualTo("orders/1");
        assertThat(sent.rows()).containsExactly(RowKey.parse("2026-11-30T23:59:59.999Z a"));
        assertThat(sent.executions()).containsExactly(7L);
    }

    @Test
    void shouldSendTheRepairOfAStreamWhereNoRowsAreNamed() {
        // when
        post("/v1/streams/orders%2F1/repair?wait=0&reason=why", "{}");

        // then
        assertThat(ports.commands.submitted)
                .extracting(request -> request.command())
                .containsExactly(new Command.RepairStream(new StreamName("orders/1")));
    }

    @Test
    void shouldTakeABodyWithoutRowsForNoRepairOfAStream() {
        // when / then
        assertThat(post("/v1/streams/a/repair?wait=0", "{\"rows\":[]}").status())
                .isEqualTo(400);
        assertThat(post("/v1/streams/a/repair?wait=0", "{\"row\":[\"x\"]}").status())
                .isEqualTo(400);
        assertThat(ports.commands.submitted).isEmpty();
    }

    private JsonNode ended(Answer begun) {
        assertThat(begun.status()).as(begun.json().toString()).isEqualTo(202);
        JsonNode last = begun.json();
        while (last.path("state").asText().equals("RUNNING")) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5)); // a caller has a limit of requests in a second
            last = client.get(path(begun)).json();
        }
        return last;
    }

    private static String path(Answer begun) {
        return "/v1/verify/" + ApiClient.segment(begun.json().path("id").asText());
    }

    private Answer peer(String route, String question) {
        Map<String, String> headers = Map.of("Content-Type", "application/json", "Ebb-Peer", "loopback");
        return client.sendWith("POST", "/v1/verify/" + route, headers, question);
    }

    private Answer post(String path, String body) {
        return client.send("POST", path, "application/json", body);
    }
}
