package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.connection.ApiLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests of one caller that wait for their results take all of its places; its holds and small deletes have others. */
@Tag("M-18")
@Tag("O-11")
@Timeout(60)
class HoldActsBesideACrowdOfItsCallerTest {

    private static final int PLACES = ApiLimits.DEFAULT.concurrentOfOne();
    private static final String JSON = "application/json";

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final CountDownLatch isOver = new CountDownLatch(1);
    private final ExecutorService callers = Executors.newFixedThreadPool(PLACES);
    private final List<Future<Answer>> crowd = new ArrayList<>();

    @BeforeEach
    void fillAllPlaces() throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(PLACES);
        api.ports.commands.whenAwaited = () -> {
            waiting.countDown();
            awaitEnd();
        };
        for (int i = 0; i < PLACES; i++) {
            crowd.add(callers.submit(() ->
                    api.client.send("POST", "/v1/purge?wait=50s&dryRun=true&reason=r", JSON, "{\"namespace\":\"n\"}")));
        }
        assertThat(waiting.await(30, TimeUnit.SECONDS)).as("the crowd waits").isTrue();
    }

    private void awaitEnd() {
        try {
            isOver.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void end() throws Exception {
        isOver.countDown();
        callers.shutdown();
        for (Future<Answer> answer : crowd) {
            assertThat(answer.get().status()).isEqualTo(200);
        }
    }

    @Test
    void shouldRefuseOtherRequestsOfTheCaller() {
        assertThat(api.client.get("/v1/holds").status()).isEqualTo(429);
        assertThat(api.client
                        .send("POST", "/v1/purge?wait=0&reason=r", JSON, "{}")
                        .status())
                .isEqualTo(429);
    }

    @Test
    void shouldPlaceAndReleaseHolds() {
        // when
        Answer placed = api.client.send("PUT", "/v1/holds/c-1", JSON, "{\"covers\":\"*\",\"reason\":\"litigation\"}");
        Answer released = api.client.send("DELETE", "/v1/holds/c-9?reason=over", null, "");

        // then
        assertThat(placed.status()).as(placed.response().body()).isEqualTo(200);
        assertThat(released.status()).as("there is no such hold").isEqualTo(404);
    }

    @Test
    void shouldDeleteAStreamAndAnEvent() {
        // given
        api.ports.commands.whenAwaited = () -> {};

        // when
        Answer stream = api.client.send("DELETE", "/v1/streams/s?wait=11s&reason=r", null, "");
        Answer event = api.client.send("DELETE", "/v1/streams/s/events/e?wait=12s&reason=r", null, "");

        // then
        assertThat(stream.status()).as(stream.response().body()).isEqualTo(200);
        assertThat(event.status()).as(event.response().body()).isEqualTo(200);
        assertThat(api.ports.commands.submitted.stream()
                        .filter(request -> !request.isDryRun())
                        .map(request -> request.command().verb())
                        .collect(Collectors.toSet()))
                .isEqualTo(Set.of("delete", "delete-event"));
        assertThat(api.ports.commands.waits).contains(Duration.ofSeconds(11), Duration.ofSeconds(12));
    }

    @Test
    void shouldAnswerProbes() {
        assertThat(api.client.get("/health/live").status()).isEqualTo(200);
    }
}
