package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.FakeInstances.Instance;
import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.port.MirrorCheck.GroupDigest;
import dev.ebb.port.MirrorCheck.What;
import dev.ebb.serde.mirror.RowsDigest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A comparison in one of two instances while the other one keeps the rows. */
@Tag("A-15")
@Tag("O-17")
@Timeout(60)
class VerifyPeersTest {

    private static final Predicate<JsonNode> ENDED =
            view -> !view.path("state").asText().equals("RUNNING");

    @RegisterExtension
    final FakePair pair = new FakePair();

    private final FakeInstances instances = pair.instances;
    private final Instance keeper = pair.one;
    private final Instance compares = pair.two;

    @Test
    void shouldAskTheKeeperAndAnswerFromEveryInstance() {
        // given
        compares.data.insight.mirror.inSql.add(new GroupDigest("s", "2026-11", new RowsDigest(4, 2, -2)));

        // when
        String id = begin(compares, "1m");

        // then
        assertThat(await(compares, id, ENDED).at("/result/equal").asBoolean()).isTrue();
        assertThat(await(keeper, id, ENDED)).isEqualTo(await(compares, id, ENDED));
        assertThat(keeper.data.insight.mirror.asked).contains("stored 0 EVENTS null", "stored 0 EVENTS more");
        assertThat(compares.data.insight.mirror.asked).doesNotContain("stored 0 EVENTS null");
    }

    @Test
    void shouldNameRowsThatTheKeeperFoundDifferent() {
        // given
        keeper.data.insight.mirror.found.add(new Difference(
                "s", RowKey.parse("2026-11-30T23:59:59.999999Z a"), null, What.DIFFERS, List.of("type"), "v", false));

        // when
        JsonNode ended = await(compares, begin(compares, "3s"), ENDED);

        // then
        assertThat(ended.at("/result/rows/0/storedAt").asText()).isEqualTo("2026-11-30T23:59:59.999999Z");
        assertThat(keeper.data.insight.mirror.asked).contains("look s [2026-11-30T23:59:59.999999Z a] []");
    }

    @Test
    void shouldWaitForAPartitionThatMoves() {
        // given
        compares.data.insight.mirror.inSql.add(new GroupDigest("s", "2026-11", new RowsDigest(4, 2, -2)));
        instances.keepers.remove(1);
        String id = begin(compares, "1m");
        await(compares, id, view -> view.path("doing").asText().contains("partition 1 moves"));

        // when
        instances.give(compares, 1);

        // then
        assertThat(await(compares, id, ENDED).at("/result/equal").asBoolean()).isTrue();
    }

    @Test
    void shouldSayWhichInstanceIsAway() {
        // given
        keeper.server.close();

        // then
        JsonNode ended = await(compares, begin(compares, "1s"), ENDED);
        assertThat(ended.path("state").asText()).isEqualTo("NOT_READY");
        assertThat(ended.path("detail").asText())
                .contains("partition 0 is kept by the instance at " + keeper.address)
                .contains("nothing listens there");
    }

    @Test
    void shouldSayThatTheComparingInstanceIsAway() {
        // given
        String id = begin(compares, "1m");
        compares.server.close();

        // then
        assertThat(keeper.client().get("/v1/verify/" + ApiClient.segment(id)).status())
                .isEqualTo(503);
    }

    private static String begin(Instance at, String wait) {
        return at.client()
                .send("POST", "/v1/verify?wait=" + wait, null, "")
                .json()
                .path("id")
                .asText();
    }

    private static JsonNode await(Instance at, String id, Predicate<JsonNode> condition) {
        while (true) {
            JsonNode view =
                    at.client().get("/v1/verify/" + ApiClient.segment(id)).json();
            if (condition.test(view)) {
                return view;
            }
            assertThat(ENDED).as(view.toString()).rejects(view);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5)); // a caller has a limit of requests in a second
        }
    }
}
