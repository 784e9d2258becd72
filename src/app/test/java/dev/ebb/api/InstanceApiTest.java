package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.FakeInstances.Instance;
import dev.ebb.port.Membership.Heartbeat;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("A-18")
@Timeout(60)
class InstanceApiTest {

    @RegisterExtension
    final FakePair pair = new FakePair();

    private final FakeInstances instances = pair.instances;
    private final Instance one = pair.one;
    private final Instance two = pair.two;

    @Test
    void shouldListInstancesThatAnswerAndThoseThatDoNot() {
        // given
        one.group.self = "ebb-1";
        two.group.self = "ebb-2";
        one.group.add("ebb-1", 0, 1).add("ebb-2", 2, 3).add("ebb-9", 7);
        one.group.heartbeats.put(two.address, new Heartbeat(Instant.EPOCH, "ebb-2"));
        instances.followers.put(0, List.of(two.address));

        // when
        JsonNode both = list();
        two.server.close();
        JsonNode alone = list();

        // then
        assertThat(both.findValuesAsText("member")).contains("ebb-1", "ebb-2", "ebb-9");
        assertThat(member(both, "ebb-1").path("instance").asText()).isEqualTo(one.address);
        assertThat(member(both, "ebb-2").path("copies")).hasToString("[{\"partition\":0,\"lagRecords\":10}]");
        assertThat(member(both, "ebb-2").path("lastHeartbeat").asText()).isEqualTo("1970-01-01T00:00:00.000Z");
        assertThat(member(both, "ebb-9").path("state").asText()).isEqualTo("NO_ANSWER");
        assertThat(member(both, "ebb-9").path("partitions")).hasToString("[7]");
        assertThat(member(alone, "ebb-2").path("state").asText()).isEqualTo("NO_ANSWER");
        assertThat(member(alone, "ebb-2").path("partitions")).hasToString("[2,3]");
        assertThat(member(alone, "ebb-2").path("problem").asText()).isEqualTo("nothing listens there");
        assertThat(member(alone, "ebb-2").path("copies")).hasToString("[{\"partition\":0,\"lagRecords\":null}]");
    }

    @Test
    void shouldRemoveAnInstanceWhoseProcessIsGoneAndSayHowItKnows() {
        // given an instance that was killed a moment ago
        one.group.add("ebb-2", 2, 3);
        one.group.heartbeats.put(two.address, new Heartbeat(Instant.now(), "ebb-2"));
        instances.followers.put(2, List.of(one.address));
        two.server.close();

        // when
        Answer dry = remove("ebb-2?dryRun=true");

        // then
        assertThat(dry.json())
                .hasToString("{\"instance\":\"%1$s\",\"member\":\"ebb-2\",\"partitions\":[2,3],\"withoutCopy\":[3],"
                                .formatted(two.address)
                        + "\"evidence\":\"nothing listens at %s\",\"isRemoved\":false}".formatted(two.address));
        assertThat(one.group.removed).isEmpty();

        // when
        Answer removed = remove(two.address + "?reason=gone&actor=me");

        // then
        assertThat(removed.status()).isEqualTo(200);
        assertThat(removed.json().path("isRemoved").asBoolean()).isTrue();
        assertThat(one.group.removed).extracting(member -> member.name()).containsExactly("ebb-2");
        assertThat(remove("ebb-2").status()).isEqualTo(409);
        assertThat(remove("ebb-3").status()).isEqualTo(404);
    }

    @Test
    void shouldRefuseToRemoveALivingInstance() {
        // given
        one.group.self = "ebb-1";
        two.group.self = "ebb-2";
        one.group.add("ebb-1").add("ebb-2");

        // when
        Answer other = remove("ebb-2");
        Answer self = remove("ebb-1");

        // then
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.json().path("detail").asText())
                .isEqualTo("ebb-2 is alive: it answers at " + two.address + ". To take a living instance out, run"
                        + " 'ebb drain' at it; a stopped one needs neither");
        assertThat(self.status()).isEqualTo(409);
        assertThat(self.json().path("detail").asText()).contains("it answers this request", "ebb drain");
        assertThat(one.group.removed).isEmpty();
    }

    @Test
    void shouldWatchTheHeartbeatsOfASilentInstance() throws Exception {
        // given an instance that takes connections and answers nothing
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        pair.closeLater(silent);
        String address = "127.0.0.1:" + silent.getLocalPort();
        Instance hasty = instances.start(FakeInstances.SECRET, Duration.ofMillis(300));
        hasty.group.interval = Duration.ofMillis(100);
        hasty.group.add("ebb-4", 3);
        instances.keepers.put(3, address);

        // when its heartbeats go on
        hasty.group.heartbeats.put(address, new Heartbeat(Instant.now(), "ebb-4"));
        Answer alive = whileItBeats(hasty, address);

        // then
        assertThat(alive.status()).isEqualTo(409);
        assertThat(alive.json().path("detail").asText()).contains("it still sends heartbeats to Kafka");

        // when they have stopped
        Answer dead = hasty.client().send("DELETE", "/v1/instances/ebb-4", "application/json", "");

        // then
        assertThat(dead.status()).isEqualTo(200);
        assertThat(dead.json().path("evidence").asText())
                .startsWith("it does not answer at " + address + ", and its last heartbeat to Kafka was");
        assertThat(hasty.group.removed).hasSize(1);
    }

    private static Answer whileItBeats(Instance asked, String address) throws InterruptedException {
        Thread heart = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                asked.group.heartbeats.put(address, new Heartbeat(Instant.now(), "ebb-4"));
                Thread.onSpinWait();
            }
        });
        heart.start();
        try {
            return asked.client().send("DELETE", "/v1/instances/ebb-4", "application/json", "");
        } finally {
            heart.interrupt();
            heart.join();
        }
    }

    private JsonNode list() {
        return one.client().get("/v1/group").json().path("instances");
    }

    private static JsonNode member(JsonNode list, String name) {
        for (JsonNode one : list) {
            if (one.path("member").asText().equals(name)) {
                return one;
            }
        }
        throw new AssertionError(name + " is not in " + list);
    }

    private Answer remove(String what) {
        return one.client().send("DELETE", "/v1/instances/" + what, "application/json", "");
    }
}
