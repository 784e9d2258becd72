package dev.ebb.api.insight;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.ApiServer;
import dev.ebb.api.FakeMirror;
import dev.ebb.api.FakePorts;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.MirrorCheck;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.port.MirrorCheck.What;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-15")
class VerifyResourceTest {

    private final FakePorts ports = new FakePorts();
    private final FakeMirror mirror = ports.insight.mirror;
    private ApiServer server;
    private ApiClient client;

    @BeforeEach
    void start() {
        server = new ApiServer(ports.ports(), ApiSettings.at("127.0.0.1", 0));
        server.start();
        client = new ApiClient(server.port());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldShowDigestsByPage() {
        // when
        JsonNode page =
                client.get("/v1/verify/partitions/3?table=events&after=x").json();

        // then
        assertThat(mirror.asked).containsExactly("stored 3 EVENTS x");
        assertThat(page.path("next").asText()).isEqualTo("more");
        assertThat(page.at("/digests/0").toString())
                .isEqualTo("{\"stream\":\"s\",\"month\":\"2026-11\",\"rows\":2,"
                        + "\"hash\":\"0000000000000001ffffffffffffffff\"}");
        assertThat(client.get("/v1/verify/sql?table=EXECUTIONS")
                        .json()
                        .path("next")
                        .isNull())
                .isTrue();
    }

    @Test
    void shouldTellMarksApart() {
        // given
        JsonNode start = client.get("/v1/verify").json();

        // then
        assertThat(start.path("partitions").asInt()).isEqualTo(4);
        String mark = ApiClient.segment(start.path("mark").asText());
        assertThat(client.get("/v1/verify/passed?mark=" + mark)
                        .json()
                        .path("passed")
                        .asBoolean())
                .isTrue();
        assertThat(client.get("/v1/verify/passed?mark=0").json().path("passed").asBoolean())
                .isFalse();
    }

    @Test
    void shouldNameRowsToTheMicrosecond() {
        // given
        mirror.found.add(new Difference(
                "s", RowKey.parse("2026-11-30T23:59:59.999999Z a b"), null, What.DIFFERS, List.of("type"), "v", false));

        // when
        JsonNode found = post(
                        "/v1/verify/partitions/0/differences",
                        "{\"stream\":\"s\",\"rows\":[\"2026-11-30T23:59:59.999999Z a b\"],\"executions\":[7]}")
                .json();

        // then
        assertThat(mirror.asked).containsExactly("look 0 s [2026-11-30T23:59:59.999999Z a b] [7]");
        assertThat(found.at("/differences/0/storedAt").asText()).isEqualTo("2026-11-30T23:59:59.999999Z");
        assertThat(found.at("/differences/0/eventId").asText()).isEqualTo("a b");
        assertThat(found.at("/differences/0/fields/0").asText()).isEqualTo("type");
    }

    @Test
    void shouldRefuseWhatNamesNoGroup() {
        assertThat(client.get("/v1/verify/sql").status()).isEqualTo(400);
        assertThat(client.get("/v1/verify/sql?table=audit").status()).isEqualTo(400);
        assertThat(client.get("/v1/verify/partitions/x?table=EVENTS").status()).isEqualTo(400);
        String differences = "/v1/verify/partitions/0/differences?table=EVENTS";
        assertThat(client.get(differences + "&month=2026-11").status()).isEqualTo(400);
        assertThat(client.get(differences + "&stream=s&month=november").status())
                .isEqualTo(400);
        assertThat(client.get(differences + "&stream=s&month=2026-11").status()).isEqualTo(200);
        assertThat(post("/v1/verify/partitions/0/differences", "{\"stream\":\"s\",\"rows\":[\"now a\"]}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    @Tag("O-17")
    void shouldSayWhereAPartitionIsAndWhyThereIsNoAnswer() {
        // given / then
        mirror.failure = new OtherInstanceException("partition 1", "other:8480");
        assertThat(client.get("/v1/verify/partitions/1?table=EVENTS").status()).isEqualTo(421);
        mirror.failure = new NotReadyException("cannot read the table event", Duration.ofSeconds(2));
        Answer away = client.get("/v1/verify/sql?table=EVENTS");
        assertThat(away.status()).isEqualTo(503);
        mirror.failure = new MirrorCheck.NoMirrorException();
        assertThat(client.get("/v1/verify").json().path("detail").asText()).contains("sql.url");
        assertThat(client.get("/v1/verify").status()).isEqualTo(422);
        mirror.failure = new MirrorCheck.WrongPartitionException("s", 1);
        assertThat(client.get("/v1/verify/partitions/1?table=EVENTS").status()).isEqualTo(400);
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

    private Answer post(String path, String body) {
        return client.send("POST", path, "application/json", body);
    }
}
