package dev.ebb.api;

import static dev.ebb.api.ApiClient.segment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.FakeInstances.Instance;
import dev.ebb.api.peers.Forwarding;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.DueSums;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.StatusView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-17")
@Timeout(60)
class PeersTest {

    private static final String HOSTILE = "a/../%2F|\"é😀 #?&=+;3";

    @RegisterExtension
    final FakePair pair = new FakePair();

    private final FakeInstances instances = pair.instances;
    private final Instance one = pair.one;
    private final Instance two = pair.two;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/policy",
                "/events",
                "/events?limit=1",
                "/events/e-1",
                "/events?status=pending&include-expired=true",
                "/explain",
                "/explain?event=e-1",
                "/events/none",
                "?nonsense=1"
            })
    void shouldAnswerTheSameFromEveryInstance(String what) {
        // given
        for (String stream : List.of("a/0", "a/3", HOSTILE)) {
            Instance keeper = stream.endsWith("0") ? one : two;
            keeper.store(stream, "e-1").store(stream, "e-2");

            // when
            String path = "/v1/streams/" + segment(stream) + what;
            Answer there = two.client().get(path);
            Answer here = one.client().get(path);

            // then
            assertThat(here.status()).as(stream + what).isEqualTo(there.status());
            assertThat(here.mediaType()).isEqualTo(there.mediaType());
            assertThat(withoutTime(here.json())).isEqualTo(withoutTime(there.json()));
        }
    }

    private static JsonNode withoutTime(JsonNode answer) {
        answer.findParents("at").forEach(parent -> ((ObjectNode) parent).remove("at"));
        return answer;
    }

    @Test
    void shouldForwardRequestsThatAClientWouldNotSend() {
        // given
        two.store("a/3", "e-1");

        // then
        assertThat(one.client().raw("GET", "/v1/streams/a%2F3/events?status=|{}^%20"))
                .startsWith("HTTP/1.1 200")
                .contains("\"e-1\"", "Ebb-Answered-By: " + two.address);
    }

    @Test
    void shouldSendABodyOn() {
        // given
        two.store("a/3", "e-1");

        // when
        Answer answer =
                one.client().send("PATCH", "/v1/streams/a%2F3/events/e-1", "application/json", "{\"status\":\"read\"}");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        assertThat(two.data.updates).hasSize(1);
        assertThat(one.data.updates).isEmpty();
    }

    /** A person who has just sent events learns that they are not lost. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | there is no stream 'a/3'",
                "1 | there is no stream 'a/3'; 1 record sent to Ebb waits to be taken in, so ask again in a moment",
                "2 | there is no stream 'a/3'; 2 records sent to Ebb wait to be taken in, so ask again in a moment"
            })
    void shouldNameRecordsThatWaitWhenAStreamIsNotThere(long records, String detail) {
        // given
        instances.waiting = OptionalLong.of(records);

        // then
        for (String what : List.of("", "/events", "/executions")) {
            assertThat(one.client()
                            .get("/v1/streams/a%2F3" + what)
                            .json()
                            .path("detail")
                            .asText())
                    .as(what)
                    .isEqualTo(detail);
        }
    }

    @Test
    void shouldSayThatSomethingIsNotThereOnlyWhereItWouldBe() {
        // then
        assertThat(one.client().get("/v1/streams/a%2F3").status()).isEqualTo(404);
        assertThat(one.client().get("/v1/streams/a%2F3/events/e").status()).isEqualTo(404);
        assertThat(two.asked.get())
                .as("once each, and for the event that was meant")
                .isEqualTo(3);
    }

    @Test
    @Tag("O-15")
    void shouldExplainAStreamWhereItsSweeperIs() {
        // given
        two.data.insight.sweepProblems.add("the sweeper of partition 3: disabled");

        // then
        assertThat(one.client()
                        .get("/v1/streams/a%2F3/explain")
                        .json()
                        .at("/blocks/0/detail")
                        .asText())
                .isEqualTo("the sweeper of partition 3: disabled");
    }

    @Test
    void shouldSendTheSecretAndTheRightOfTheCallerAndNothingElseOfHis() throws IOException {
        // given
        List<Headers> received = new CopyOnWriteArrayList<>();
        HttpServer third = server(200, "{}", received);
        instances.keepers.put(3, address(third));

        // when
        one.client()
                .sendWith(
                        "GET",
                        "/v1/streams/a%2F3",
                        Map.of("Authorization", "Bearer t-1", "Cookie", "c=1", "Ebb-Copy", "true"),
                        "");

        // then
        assertThat(received).hasSize(1);
        assertThat(received.get(0).get("Ebb-Peer")).containsExactly(FakeInstances.SECRET);
        assertThat(received.get(0).get("Authorization")).containsExactly("Bearer t-1");
        assertThat(received.get(0)).doesNotContainKeys("Cookie", "Ebb-copy", "Ebb-Copy");
    }

    @ParameterizedTest
    @CsvSource({
        "0123456789abcdef,421",
        "0123456789abcdeF,401",
        "0123456789abcde,401",
        "0123456789abcdefg,401",
        "loopback,401"
    })
    void shouldAnswerOnlyPeersThatKnowTheSecret(String given, int status) {
        // given
        two.store("a/3", "e-1");

        // when
        Answer answer = one.client().sendWith("GET", "/v1/streams/a%2F3", Map.of("Ebb-Peer", given), "");

        // then
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.json().path("type").asText())
                .isEqualTo(status == 421 ? "urn:ebb:problem:other-instance" : "urn:ebb:problem:peer-refused");
        assertThat(two.asked.get()).isZero();
    }

    @Test
    void shouldNameTheSettingWhereTheSecretsDiffer() {
        // given
        Instance stranger = instances.start("fedcba9876543210");
        instances.give(stranger, 3);

        // when
        Answer one = this.one.client().get("/v1/streams/a%2F3");
        Answer list = this.one.client().get("/v1/streams");

        // then
        assertThat(one.status()).isEqualTo(503);
        assertThat(one.json().path("detail").asText()).contains(stranger.address, "api.peer.secret on all instances");
        assertThat(list.json().at("/unanswered/0/reason").asText()).contains("api.peer.secret");
        assertThat(stranger.asked.get()).isZero();
    }

    @Test
    void shouldAskOnThisMachineWithoutASecretAndNowhereElse() {
        // given
        Instance third = instances.start("");
        Instance fourth = instances.start("");
        instances.give(third, 0, 1);
        instances.give(fourth, 2);
        instances.keepers.put(3, "ebb.example:8480");
        fourth.store("a/2", "e-1");

        // when
        Answer near = third.client().get("/v1/streams/a%2F2");
        Answer far = third.client().get("/v1/streams/a%2F3");
        Answer list = third.client().get("/v1/streams");

        // then
        assertThat(near.status()).isEqualTo(200);
        assertThat(far.status()).isEqualTo(421);
        assertThat(far.json().path("detail").asText())
                .contains("partition 3 is kept by the instance at ebb.example:8480", "set the same api.peer.secret");
        assertThat(list.json().path("streams").findValuesAsText("stream")).containsExactly("a/2");
        assertThat(list.json().at("/unanswered/0/reason").asText()).contains("set the same api.peer.secret");
    }

    @Test
    void shouldNeverAskInCircles() {
        // given two instances, each of which believes that the other one keeps the partition
        one.believe(3, two.address);
        two.believe(3, one.address);

        // when
        Answer answer = one.client().get("/v1/streams/a%2F3");
        Answer list = one.client().get("/v1/streams");

        // then
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.json().path("detail").asText()).contains("moving between instances");
        assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(list.status()).isEqualTo(503);
        assertThat(two.asked.get())
                .as("one question at a time, as long as the read may wait")
                .isBetween(3 * Forwarding.ROUNDS, 100);
    }

    @Test
    void shouldAskTheNewKeeperOfAPartitionThatHasJustMoved() {
        // given
        Instance third = instances.start().store("a/3", "e-1");
        one.believe(3, two.address);
        instances.give(third, 3);
        new Thread(() -> {
                    while (two.asked.get() == 0) {
                        Thread.onSpinWait();
                    }
                    one.believed = null;
                })
                .start();

        // when
        Answer answer = one.client().get("/v1/streams/a%2F3");

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.response().headers().firstValue("Ebb-Answered-By")).contains(third.address);
    }

    @Test
    void shouldAnswerForAPartitionThatHasJustMovedHere() {
        // given
        one.store("a/3", "e-1").believe(3, two.address);
        instances.give(one, 3);
        new Thread(() -> {
                    while (two.asked.get() == 0) {
                        Thread.onSpinWait();
                    }
                    one.believed = null;
                })
                .start();

        // then
        assertThat(one.client().get("/v1/streams").json().path("streams").findValuesAsText("stream"))
                .containsExactly("a/3");
    }

    @Test
    @Tag("A-9")
    void shouldNeverSayNotFoundForAnInstanceThatIsGone() throws IOException {
        // given
        try (ServerSocket free = new ServerSocket(0)) {
            instances.keepers.put(3, "127.0.0.1:" + free.getLocalPort());
        }

        // when
        Answer answer = one.client().get("/v1/streams/a%2F3/events/e-1");

        // then
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.response().headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.json().path("detail").asText())
                .contains(
                        "partition 3 is kept by the instance at " + instances.keepers.get(3), "nothing listens there");
    }

    @Test
    void shouldNotWaitForAnInstanceThatHangs() throws IOException {
        // given one instance that takes connections but stays silent, and one that stops in the middle of its answer
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        pair.closeLater(silent);
        instances.keepers.put(3, "127.0.0.1:" + silent.getLocalPort());
        HttpServer half = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        half.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
        });
        half.start();
        pair.closeLater(() -> half.stop(0));
        instances.keepers.put(2, address(half));
        Instance hasty = instances.start(FakeInstances.SECRET, Duration.ofMillis(300));

        // when
        Answer answer = hasty.client().get("/v1/streams/a%2F3");
        Answer halfAnswer = hasty.client().get("/v1/streams/a%2F2");

        // then
        for (Answer each : List.of(answer, halfAnswer)) {
            assertThat(each.status()).isEqualTo(503);
            assertThat(each.json().path("detail").asText()).contains("did not answer within 300 ms");
        }
    }

    @Test
    @Tag("A-18")
    void shouldWaitForAFrozenInstanceOnceAndForgetThatWhenItIsBack() throws Exception {
        // given an instance that takes connections and answers nothing
        ServerSocket frozen = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        pair.closeLater(frozen);
        int port = frozen.getLocalPort();
        instances.keepers.put(3, "127.0.0.1:" + port);
        Instance asked = instances.start(FakeInstances.SECRET, Duration.ofMillis(400));

        // when
        Answer first = asked.client().get("/v1/streams/a%2F3");
        Answer second = asked.client().get("/v1/streams/a%2F3");
        long begin = System.nanoTime();
        Answer third = asked.client().get("/v1/streams/a%2F3");
        long tookMs = (System.nanoTime() - begin) / 1_000_000;

        // then only the first has waited for its answer, and the second for a sign of life
        assertThat(first.json().path("detail").asText()).contains("did not answer within 400 ms");
        assertThat(List.of(first.status(), second.status(), third.status())).containsOnly(503);
        assertThat(third.json().path("detail").asText())
                .contains("it has not answered since", "asked each second whether it is back");
        assertThat(tookMs).isLessThan(300);

        // when it answers again
        frozen.close();
        HttpServer awake = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        awake.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        awake.start();
        pair.closeLater(() -> awake.stop(0));

        // then
        while (asked.client().get("/v1/streams/a%2F3").status() != 200) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Tag("A-18")
    void shouldNotTakeASlowAnswerForSilence() throws Exception {
        // given an instance that lives, but needs longer for one answer than it has
        HttpServer slow = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        slow.setExecutor(Executors.newCachedThreadPool());
        slow.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().endsWith("slow3")) {
                beSlow();
            }
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        slow.start();
        pair.closeLater(() -> slow.stop(0));
        instances.keepers.put(3, address(slow));
        Instance asked = instances.start(FakeInstances.SECRET, Duration.ofMillis(400));

        // then
        assertThat(asked.client().get("/v1/streams/a%2Fslow3").status()).isEqualTo(503);
        assertThat(asked.client().get("/v1/streams/a%2F3").status()).isEqualTo(200);
    }

    @Test
    @Tag("A-18")
    void shouldWaitForAPartitionThatMovesAndNotForOneWhoseInstanceIsGone() throws Exception {
        // given a partition on its way
        two.failures.put(3, NotReadyException.moving("partition 3 is moving", Duration.ofSeconds(1), List.of()));
        int before = one.asked.get() + two.asked.get();

        // when it arrives after a question in vain
        CompletableFuture<Answer> answer =
                CompletableFuture.supplyAsync(() -> one.client().get("/v1/streams/a%2F3/events/late"));
        while (one.asked.get() + two.asked.get() < before + 2 && !answer.isDone()) {
            Thread.onSpinWait();
        }
        one.store("a/3", "late");
        instances.give(one, 3);

        // then
        assertThat(answer.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);

        // when the instance of another one is gone
        two.server.close();
        long begin = System.nanoTime();

        // then
        assertThat(one.client().get("/v1/streams/a%2F2").status()).isEqualTo(503);
        assertThat(System.nanoTime() - begin).isLessThan(2_000_000_000);
    }

    @Test
    @Tag("A-9")
    void shouldPassOnHowFarARestorationIs() {
        // given
        two.failures.put(
                3,
                new NotReadyException(
                        "partition 3 is being restored",
                        Duration.ofSeconds(7),
                        List.of(new StatusView.RestoreView("events", 3, 100, 400, 50))));

        for (String path : List.of("/v1/streams/a%2F3", "/v1/streams", "/v1/namespaces", "/v1/reports/compliance")) {
            // when
            Answer answer = one.client().get(path);

            // then
            assertThat(answer.status()).as(path).isEqualTo(503);
            assertThat(answer.response().headers().firstValue("Retry-After")).contains("7");
            assertThat(answer.json().path("detail").asText()).contains("partition 3 is being restored", two.address);
            assertThat(answer.json().at("/restoring/0"))
                    .hasToString("{\"store\":\"events\",\"partition\":3,\"done\":100,\"total\":400,\"perSecond\":50}");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 11, 12, 13})
    void shouldListTheSameFromEveryInstancePageByPage(int limit) {
        // given names whose order in UTF-8 is not that of Java
        List<String> names = List.of(
                "a/0", "a/1", "a/2", "a/3", "b/2", "b/3", "c/0", "d/0", "e/3", "x/1", "\uFF5E/1", "\uD83D\uDE00/2");
        names.forEach(name -> keeperOf(name).store(name, "e"));

        for (Instance instance : List.of(one, two)) {
            // when
            List<String> listed = new ArrayList<>();
            String after = "";
            int pages = 0;
            do {
                JsonNode page = instance.client()
                        .get("/v1/streams?limit=" + limit + after)
                        .json();
                assertThat(page.path("streams").size()).isLessThanOrEqualTo(limit);
                assertThat(page.path("unanswered")).isEmpty();
                listed.addAll(page.path("streams").findValuesAsText("stream"));
                after = page.path("next").isNull()
                        ? ""
                        : "&after=" + segment(page.path("next").asText());
                pages++;
            } while (!after.isEmpty());

            // then
            assertThat(listed).containsExactlyElementsOf(names);
            assertThat(pages).isEqualTo((names.size() + limit - 1) / limit);
        }
    }

    @Test
    void shouldListInstancesThatDidNotAnswer() {
        // given
        one.store("a/0", "e");
        two.store("a/3", "e");
        one.data.namespaces.put("a", new StatusView.NamespaceView(1, 1, 100, 0, 0, 0));
        two.server.close();

        // when
        JsonNode streams = one.client().get("/v1/streams").json();
        JsonNode namespaces = one.client().get("/v1/namespaces").json();
        JsonNode namespace = one.client().get("/v1/namespaces/a?ttl-stats").json();
        JsonNode report = one.client().get("/v1/reports/compliance").json();
        JsonNode all = one.client().get("/v1/instances").json();

        // then
        assertThat(streams.path("streams").findValuesAsText("stream")).containsExactly("a/0");
        for (JsonNode answer : List.of(streams, namespaces, namespace, report, all)) {
            assertThat(answer.at("/unanswered/0/instance").asText()).isEqualTo(two.address);
            assertThat(answer.at("/unanswered/0/partitions")).hasToString("[2,3]");
            assertThat(answer.at("/unanswered/0/reason").asText()).isNotEmpty();
        }
        assertThat(namespaces.at("/namespaces/0/exact").asBoolean(true)).isFalse();
        assertThat(namespace.path("exact").asBoolean(true)).isFalse();
        assertThat(namespace.at("/ttl/exact").asBoolean(true)).isFalse();
        assertThat(report.path("exact").asBoolean(true)).isFalse();
        assertThat(all.path("unkept")).hasToString("[2,3]");

        // and data that only the other instance may have count as unknown
        assertThat(one.client().get("/v1/namespaces/b").status()).isEqualTo(503);
        instances.give(one, 2, 3);
        assertThat(one.client().get("/v1/namespaces/b").status()).isEqualTo(404);
    }

    @Test
    void shouldNotTakeAnEmptyListForAnAnswerWhenNoInstanceAnswers() {
        // given
        instances.give(two, 0, 1);
        two.server.close();

        // then
        assertThat(one.client().get("/v1/streams").status()).isEqualTo(503);
    }

    @Test
    void shouldAddUpTheSharesOfInstancesInANamespace() {
        // given
        one.data.namespaces.put("a", new StatusView.NamespaceView(1, 10, 100, 1, 2, 3));
        two.data.namespaces.put("a", new StatusView.NamespaceView(2, 20, 200, 2, 4, 6));
        two.data.namespaces.put("b", new StatusView.NamespaceView(5, 5, 5, 0, 0, 0));
        one.data.insight.due.put("a", new DueSums(new Tally(1, 10), new Tally(2, 20), new Tally(3, 30), 9L, 0));
        two.data.insight.due.put("a", new DueSums(new Tally(4, 40), new Tally(5, 50), new Tally(6, 60), 7L, 0));
        two.data.insight.duePartition = 2;
        one.data.insight.expired.put("a", 8L);
        two.data.insight.expired.put("a", 8L);

        for (Instance instance : List.of(one, two)) {
            // when
            JsonNode list = instance.client().get("/v1/namespaces").json();
            JsonNode a = instance.client().get("/v1/namespaces/a?ttl-stats").json();

            // then
            assertThat(list.path("namespaces").findValuesAsText("namespace")).containsExactly("a", "b");
            assertThat(a.path("streams").asInt()).isEqualTo(3);
            assertThat(a.path("events").asInt()).isEqualTo(30);
            assertThat(a.path("exact").asBoolean()).isTrue();
            assertThat(a.path("expiring"))
                    .hasToString("{\"events\":9,\"bytes\":90,\"earliest\":\"1970-01-01T00:00:00.007Z\"}");
            assertThat(a.at("/ttl/dueNextHour").asInt()).isEqualTo(5);
            assertThat(a.at("/ttl/bytesDueNextDay").asInt()).isEqualTo(70);
            assertThat(a.at("/ttl/withoutTtl").asInt()).isEqualTo(30 - 3 - 6 - 9);
            assertThat(a.at("/ttl/expiredLastHour").asInt()).isEqualTo(8);
        }

        // and a partition that has just moved is not counted twice
        instances.give(one, 2);
        assertThat(one.client()
                        .get("/v1/namespaces/a?ttl-stats")
                        .json()
                        .at("/ttl/dueNextHour")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void shouldAddUpAReportAndReadTheAuditOnce() {
        // given
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.namespace("a")).maxCount(Limit.of(5)).build();
        one.data.policy(policy, 3);
        two.data.policy(policy, 3);
        one.store("a/0", "1").store("a/1", "1").store("b/0", "1");
        two.store("a/2", "1").store("a/2", "2").store("b/3", "1");
        two.data.insight.overdue.put(new StreamName("a/2"), 2L);
        one.data.insight.audit("1", 5, "a/0", "MAX_AGE", "x", "y");
        two.data.insight.audit("1", 5, "a/0", "MAX_AGE", "x", "y");

        // when
        JsonNode here = one.client().get("/v1/reports/compliance").json();
        JsonNode there = two.client().get("/v1/reports/compliance").json();

        // then
        assertThat(here.path("exact").asBoolean()).isTrue();
        assertThat(here.path("scopes")).isEqualTo(there.path("scopes"));
        JsonNode a = here.path("scopes").findParents("scope").stream()
                .filter(scope -> scope.path("scope").asText().equals("namespace:a"))
                .findFirst()
                .orElseThrow();
        assertThat(a.path("streams").asInt()).isEqualTo(3);
        assertThat(a.path("events").asInt()).isEqualTo(4);
        assertThat(a.path("overdue").asInt()).isEqualTo(2);
        assertThat(a.at("/deleted/MAX_AGE/events").asInt()).isEqualTo(2);
    }

    @Test
    void shouldShowAllInstancesAndTheirPartitionsAndAddThemUp() {
        // given
        one.data.namespaces.put("a", new StatusView.NamespaceView(1, 2, 30, 0, 0, 0));
        two.data.namespaces.put("a", new StatusView.NamespaceView(1, 3, 40, 0, 0, 0));

        // when
        JsonNode all = two.client().get("/v1/instances").json();

        // then
        assertThat(all.path("askedInstance").asText()).isEqualTo(two.address);
        assertThat(all.path("instances").findValuesAsText("instance"))
                .containsExactlyInAnyOrder(one.address, two.address);
        assertThat(all.path("unkept")).isEmpty();
        assertThat(all.path("unanswered")).isEmpty();
        assertThat(all.at("/sum/stored/events").asLong()).isEqualTo(5);
        assertThat(all.at("/sum/namespaces/a/bytes").asLong()).isEqualTo(70);
        assertThat(all.at("/sum/counts/ingested").asLong()).isEqualTo(2);
    }

    @Test
    void shouldLetACopyAnswerThatTheLastAssignmentDoesNotName() {
        // given a keeper that is gone, and a copy at an instance that the assignment does not name
        Instance third = instances.start().store("a/3", "old");
        two.server.close();

        // then
        for (Instance instance : List.of(one, third)) {
            assertThat(instance.client()
                            .get("/v1/streams/a%2F3/events/old?stale=true")
                            .status())
                    .isEqualTo(200);
            assertThat(instance.client().get("/v1/streams/a%2F3/events/old").status())
                    .isEqualTo(503);
        }
    }

    @Test
    void shouldAskAgainWhileACopyBecomesTheKeepers() throws Exception {
        // given a keeper that is gone, and a partition without any instance
        one.store("a/0", "e");
        two.server.close();
        int before = one.asked.get();

        // when the partition arrives after a question in vain
        CompletableFuture<ApiClient.Answer> answer =
                CompletableFuture.supplyAsync(() -> one.client().get("/v1/streams/a%2F3/events/late?stale=true"));
        while (one.asked.get() < before + 2 && !answer.isDone()) {
            Thread.onSpinWait();
        }
        one.store("a/3", "late");
        instances.give(one, 3);

        // then
        assertThat(answer.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
    }

    @Test
    void shouldLetACopyAnswerIfAskedAndSayHowOldItIs() {
        // given
        Instance third = instances.start().store("a/3", "old");
        instances.followers.put(3, List.of(third.address));
        two.store("a/3", "new");
        one.store("a/0", "e");

        // when the keeper answers, the copy is not asked
        assertThat(one.client()
                        .get("/v1/streams/a%2F3/events?stale=true")
                        .json()
                        .has("stale"))
                .isFalse();
        two.server.close();

        // then
        String stale = "[{\"partition\":3,\"instance\":\"" + third.address + "\",\"lagRecords\":13}]";
        for (Instance instance : List.of(one, third)) {
            ApiClient client = instance.client();
            assertThat(client.get("/v1/streams/a%2F3/events").status()).isEqualTo(503);
            assertThat(client.get("/v1/streams/a%2F3?stale").json().path("stale"))
                    .hasToString(stale);
            assertThat(client.get("/v1/streams/a%2F3/events?stale=true").json().path("stale"))
                    .hasToString(stale);
            assertThat(client.get("/v1/streams/a%2F3/events/old?stale=true")
                            .json()
                            .path("stale"))
                    .hasToString(stale);

            // and an event that the copy lacks may exist all the same
            Answer missing = client.get("/v1/streams/a%2F3/events/new?stale=true");
            assertThat(missing.status()).isEqualTo(503);
        }

        // and in a list, the copy stands in for its partition alone
        JsonNode list = one.client().get("/v1/streams?stale=true").json();
        assertThat(list.path("streams").findValuesAsText("stream")).containsExactly("a/0", "a/3");
        assertThat(list.path("stale")).hasToString(stale);
        assertThat(list.at("/unanswered/0/partitions")).hasToString("[2]");
    }

    private Instance keeperOf(String stream) {
        return instances
                        .keepers
                        .get(FakeInstances.partitionOf(new StreamName(stream)))
                        .equals(one.address)
                ? one
                : two;
    }

    private HttpServer server(int status, String body, List<Headers> received) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.add(exchange.getRequestHeaders());
            exchange.sendResponseHeaders(status, body.length());
            exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
        pair.closeLater(() -> server.stop(0));
        return server;
    }

    private static void beSlow() {
        try {
            TimeUnit.SECONDS.sleep(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String address(HttpServer server) {
        return "127.0.0.1:" + server.getAddress().getPort();
    }
}
