package dev.ebb.api.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.FakeInstances;
import dev.ebb.api.FakeInstances.Instance;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("O-17")
@Timeout(60)
class DrainResourceTest {

    private final FakeInstances instances = new FakeInstances();
    private Instance one;

    @BeforeEach
    void start() {
        one = instances.start();
        instances.give(one, 0, 2);
    }

    @AfterEach
    void stop() {
        instances.close();
    }

    @Test
    void shouldGiveItsPartitionsAwayAndNameThoseWithoutACopy() {
        // given
        Instance two = instances.start();
        instances.give(two, 1, 3);
        instances.followers.put(0, List.of(two.address));

        // when
        Answer answer = drain("");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(answer.json().toString())
                .isEqualTo(
                        "{\"instance\":\"" + one.address + "\",\"partitions\":[0,2],\"withoutCopy\":[2],\"others\":1}");
        assertThat(one.hasLeft).isTrue();
        assertThat(two.hasLeft).isFalse();
    }

    @Test
    void shouldDoNothingTheSecondTime() {
        // given
        instances.start();
        drain("");

        // when
        Answer answer = drain("");

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("partitions")).isEmpty();
    }

    @Test
    void shouldNotLeaveTheApplicationWithoutAnInstanceUnlessForced() {
        // when
        Answer refused = drain("");

        // then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("detail").asText()).contains("is the only instance", "use --force (force=true)");
        assertThat(one.hasLeft).isFalse();

        // then
        Answer forced = drain("?force=true");
        assertThat(forced.status()).isEqualTo(200);
        assertThat(forced.json().path("others")).hasToString("0");
        assertThat(one.hasLeft).isTrue();
    }

    @Test
    void shouldSayThatItTakesLonger() {
        // given
        instances.start();
        one.isLeavingInTime = false;

        // when
        Answer answer = drain("");

        // then
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.json().path("detail").asText()).contains("ask again");
    }

    private Answer drain(String query) {
        return one.client().send("POST", "/v1/drain" + query, "application/json", "");
    }
}
