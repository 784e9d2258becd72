package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.event.StreamName;
import dev.ebb.it.Await;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.RunOutcome;
import dev.ebb.topology.wire.StreamPartition;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class EbbApplicationIT {

    private final HttpClient http = HttpClient.newHttpClient();
    private final Recorder recorder = new Recorder();
    private EbbApplication application;

    @Test
    void shouldRefuseToStartOnMissingTopicsAndSayWhatToDo() throws IOException {
        // given
        application = new EbbApplication(config(Map.of()), recorder);

        // when
        RunOutcome outcome = application.run();

        // then
        assertThat(outcome).isEqualTo(RunOutcome.REFUSED);
        assertThat(recorder.events)
                .anySatisfy(event -> assertThat(event).startsWith("refused").contains("run 'ebb topics create'"))
                .endsWith("stopped REFUSED");
    }

    @Test
    @Tag("O-18")
    void shouldWaitForTheRegistryAndSayIt() throws Exception {
        // given
        EbbConfig config = config(Map.of("schema.registry.url", "http://127.0.0.1:1"));
        createTopics(config);
        application = new EbbApplication(config, recorder);

        // when
        CompletableFuture<RunOutcome> running = CompletableFuture.supplyAsync(application::run);

        // then
        Await.until(() -> get(config, "/health/ready").body().contains("waiting for the schema registry"));
        assertThat(get(config, "/health/ready").statusCode()).isEqualTo(503);
        assertThat(get(config, "/health/live").statusCode()).isEqualTo(200);
        assertThat(get(config, "/v1/streams/a/events").statusCode()).isEqualTo(503);
        stop(running);
    }

    @Test
    void shouldKeepWhatItTookInOverARestartThatNobodyHasToWaitFor() throws Exception {
        // given
        EbbConfig config = config(Map.of("retention.default.max.age", "unlimited"));
        CompletableFuture<RunOutcome> firstRun = start(config);

        // when
        assertThat(post(config, "/v1/streams/orders%2Feu-1/events", "{\"id\":\"1\",\"type\":\"paid\"}")
                        .statusCode())
                .isEqualTo(202);
        Await.until(() -> get(config, "/v1/streams/orders%2Feu-1/events/1").statusCode() == 200);
        stop(firstRun);
        long begin = System.nanoTime();
        CompletableFuture<RunOutcome> secondRun = start(config);

        // then: the broker waits 45 s for a member that did not leave
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(40));
        Await.until(() -> get(config, "/v1/streams/orders%2Feu-1/events/1").statusCode() == 200);
        stop(secondRun);
    }

    @Test
    @Tag("M-9")
    void shouldActOnPoliciesThatAreSetWhileItRuns() throws Exception {
        // given
        EbbConfig config = config(Map.of());
        CompletableFuture<RunOutcome> running = start(config);
        for (int i = 0; i < 5; i++) {
            post(config, "/v1/streams/logs%2Fa/events", "{\"id\":\"" + i + "\",\"type\":\"line\"}");
        }
        post(config, "/v1/streams/short%2Fa/events", "{\"id\":\"1\",\"type\":\"t\",\"ttlSeconds\":1}");
        post(config, "/v1/streams/short%2Fa/events", "{\"id\":\"2\",\"type\":\"t\"}");
        Await.until(() -> status(config).at("/counts/ingested").asLong() == 7);

        // when
        HttpResponse<String> answer = put(config, "/v1/policies/namespace:logs", "{\"maxCount\":2}");

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        Await.until(() -> status(config).at("/counts/removed/MAX_COUNT/events").asLong() == 3);
        Await.until(() -> status(config).at("/namespaces/logs/events").asLong() == 2);
        Await.until(() -> status(config).at("/input/lag").asLong(-1) == 0);
        String metrics = get(config, "/metrics").body();
        assertThat(metrics)
                .contains(
                        "ebb_events_deleted_total{cause=\"MAX_COUNT\",namespace=\"logs\",scope=\"namespace\"} 3.0",
                        "ebb_events_stored{namespace=\"logs\"} 2.0",
                        "kafka_stream_metrics_");
        put(config, "/v1/policies/namespace:short", "{\"maxAge\":\"1d\"}");
        Await.until(() -> status(config).at("/counts/removed/TTL/events").asLong() == 1);
        // It is counted before its transaction ends, and audited after that.
        Await.until(() -> get(config, "/v1/namespaces/short?ttl-stats")
                .body()
                .contains("\"expiredLastHour\":1,\"expiredExact\":true"));
        assertThat(get(config, "/v1/namespaces/logs?ttl-stats").body())
                .contains("\"expiredLastHour\":0,\"expiredExact\":true");
        stop(running);
    }

    @Test
    @Tag("M-17")
    void shouldNotShowTheDeadAlthoughNobodySweeps() throws Exception {
        // given
        EbbConfig config = config(Map.of("sweep.enabled", "false"));
        CompletableFuture<RunOutcome> running = start(config);
        post(
                config,
                "/v1/streams/a%2Fb/events",
                "[{\"id\":\"short\",\"type\":\"t\",\"ttlSeconds\":1},"
                        + "{\"id\":\"long\",\"type\":\"t\"},{\"id\":\"open\",\"type\":\"t\",\"status\":\"pending\",\"ttlSeconds\":1}]");

        // when
        Await.until(() -> status(config).at("/counts/ingested").asLong() == 3);
        Await.until(() -> get(config, "/v1/streams/a%2Fb/events/short").statusCode() == 404);

        // then
        assertThat(ids(get(config, "/v1/streams/a%2Fb/events"))).containsExactly("long", "open");
        assertThat(ids(get(config, "/v1/streams/a%2Fb/events?status=PENDING"))).containsExactly("open");
        assertThat(ids(get(config, "/v1/streams/a%2Fb/events?include-expired=true")))
                .containsExactlyInAnyOrder("short", "long", "open");
        assertThat(status(config).at("/partitions/0/state").asText()).isEqualTo("disabled");
        stop(running);
    }

    @Test
    @Tag("R-14")
    void shouldSendItsMetersToACollector() throws Exception {
        // given
        try (LocalCollector collector = new LocalCollector()) {
            EbbConfig config =
                    config(Map.of("metrics.otlp.endpoint", collector.address(), "metrics.otlp.interval", "1s"));

            // when
            CompletableFuture<RunOutcome> running = start(config);

            // then
            Await.until(() -> collector.last().contains("kafka_stream_metrics"));
            assertThat(collector.last())
                    .contains("ebb_ready", "jvm_memory", config.apiAdvertised().toString());
            stop(running);
        }
    }

    @Test
    @Tag("O-7")
    void shouldCompareItsClockWithTheBrokers() throws Exception {
        // given
        EbbConfig config = config(Map.of("clock.guard.interval", "100ms"));

        // when
        CompletableFuture<RunOutcome> running = start(config);

        // then
        Await.until(() -> status(config).at("/partitions/0/state").asText().equals("idle"));
        assertThat(status(config).at("/clock/problem").isNull()).isTrue();
        assertThat(status(config).at("/clock/aheadMs").asLong(99_999)).isBetween(-10_000L, 10_000L);
        assertThat(get(config, "/metrics").body()).contains("ebb_clock_guard 0.0");
        stop(running);
    }

    @Test
    @Tag("O-7")
    void shouldDeleteNothingByAClockThatIsAnHourAhead() throws Exception {
        // given
        EbbConfig config = config(Map.of("clock.guard.interval", "100ms"));
        Clock clock = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
        createTopics(config);

        // when
        application = new EbbApplication(new InstanceParts(config, clock, recorder), recorder);
        CompletableFuture<RunOutcome> running = CompletableFuture.supplyAsync(application::run);

        // then
        Await.until(() -> status(config).at("/partitions/0/state").asText().equals("clock guard"));
        String problem = "ahead of the broker's";
        Await.until(() -> get(config, "/health/ready").body().contains(problem));
        assertThat(get(config, "/health/ready").statusCode()).isEqualTo(200);
        assertThat(status(config).at("/clock/problem").asText())
                .startsWith("the clock of this instance is ")
                .endsWith(problem);
        assertThat(get(config, "/metrics").body()).contains("ebb_clock_guard 1.0");

        // then: readers and requests go by the broker's time
        post(config, "/v1/streams/mail%2F1/events", "{\"id\":\"1\",\"type\":\"t\",\"ttlSeconds\":1800}");
        Await.until(() -> status(config).at("/counts/ingested").asLong() == 1);
        assertThat(get(config, "/v1/streams/mail%2F1/events").body()).contains("\"id\":\"1\"", "\"expired\":false");
        assertThat(get(config, "/v1/streams/mail%2F1/explain?event=1").body())
                .doesNotContain("\"decision\":\"DELETE\"");
        stop(running);
    }

    @Test
    void shouldPageThroughTheStreamsOfAllPartitions() throws Exception {
        // given
        EbbConfig config = config(Map.of());
        CompletableFuture<RunOutcome> running = start(config);
        List<String> names = List.of("a/1", "a/2", "a/3", "b", "b/1", "c/1", "\uD83D\uDE00/1", "\uFF5E/1");
        for (String name : names) {
            String path = URLEncoder.encode(name, StandardCharsets.UTF_8);
            post(config, "/v1/streams/" + path + "/events", "{\"id\":\"1\",\"type\":\"t\"}");
        }
        Await.until(() -> status(config).at("/counts/ingested").asLong() == names.size());

        // then: in the order of their bytes in UTF-8, which is not that of Java
        assertThat(pages(config, "/v1/streams?limit=3"))
                .containsExactly("a/1", "a/2", "a/3", "b", "b/1", "c/1", "\uFF5E/1", "\uD83D\uDE00/1");
        assertThat(pages(config, "/v1/streams?limit=1&namespace=a")).containsExactly("a/1", "a/2", "a/3");
        assertThat(pages(config, "/v1/streams?limit=2&namespace=default")).containsExactly("b");
        assertThat(pages(config, "/v1/streams?limit=2&prefix=b")).containsExactly("b", "b/1");
        assertThat(pages(config, "/v1/streams?limit=2&prefix=b&namespace=a")).isEmpty();
        stop(running);
    }

    @Test
    @Tag("M-18")
    @Tag("A-16")
    void shouldKeepWhatIsHeldOverInstancesFromTheAcknowledgementOn() throws Exception {
        // given two instances that share four partitions, and streams that are deleted all the time
        Map<String, String> shared = Map.of(
                "application.id",
                "holds" + System.nanoTime(),
                "topics.prefix",
                "holds" + System.nanoTime() + ".",
                "topics.partitions",
                "4",
                "brake.min.events",
                "1000000",
                "state.dir",
                "target/it/state/holds");
        List<EbbConfig> configs = List.of(config(withStateOf(shared, "a")), config(withStateOf(shared, "b")));
        List<EbbApplication> instances = instances(configs);
        List<CompletableFuture<RunOutcome>> running = run(instances);
        for (EbbConfig config : configs) {
            Await.until(() -> get(config, "/health/ready").statusCode() == 200
                    && status(config).at("/partitions").size() == 2);
        }
        AtomicBoolean isOver = new AtomicBoolean();
        List<String> outcomes = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String stream = "/v1/streams/held%2F" + i;
            EbbConfig config = configs.get(i % 2);
            writers.add(CompletableFuture.runAsync(() -> churn(config, stream, isOver, outcomes)));
        }
        Await.until(() -> outcomes.contains("200") && outcomes.size() > 8);

        // when
        HttpResponse<String> placed = put(
                configs.get(1),
                "/v1/holds/c-1?anyway=true",
                "{\"covers\":\"namespace:held\",\"reason\":\"litigation\"}");
        assertThat(placed.statusCode()).as(placed.body()).isEqualTo(200);
        Map<String, List<String>> atAcknowledgement = heldEvents(configs);
        int before = outcomes.size();

        // then neither commands that were on their way nor later ones, nor policies, nor sweeps delete
        String confirmed = "{\"maxCount\":1,\"confirmed\":true}";
        assertThat(put(configs.get(0), "/v1/policies/namespace:held", confirmed).statusCode())
                .isEqualTo(200);
        for (EbbConfig config : configs) {
            assertThat(post(config, "/v1/purge?reason=test", "{\"namespace\":\"held\"}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(post(config, "/v1/sweeps", "").statusCode()).isEqualTo(200);
        }
        Await.until(() -> outcomes.size() > before + 16);
        isOver.set(true);
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        assertThat(outcomes.subList(outcomes.size() - 8, outcomes.size())).containsOnly("409 HELD");
        Map<String, List<String>> atTheEnd = heldEvents(configs);
        assertThat(atAcknowledgement).isNotEmpty();
        atAcknowledgement.forEach((stream, ids) ->
                assertThat(atTheEnd.getOrDefault(stream, List.of())).as(stream).containsAll(ids));

        // when it is released, the cap takes what is not protected
        assertThat(http.send(request(configs.get(0), "/v1/holds/c-1").DELETE().build(), BodyHandlers.ofString())
                        .statusCode())
                .isBetween(200, 202);
        Await.until(() ->
                heldEvents(configs).values().stream().flatMap(List::stream).noneMatch(id -> id.endsWith("-a")));
        instances.forEach(EbbApplication::stop);
        for (CompletableFuture<RunOutcome> instance : running) {
            assertThat(instance.get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
        }
    }

    @Test
    @Tag("A-5")
    @Tag("A-9")
    @Tag("A-18")
    @Tag("O-17")
    void shouldGoOnWithTheSameEventsWhereAStandbyWas() throws Exception {
        // given two instances, each of which follows the partition of the other, and a cap
        String name = "standby" + System.nanoTime();
        Map<String, String> shared = Map.of(
                "application.id",
                name,
                "topics.prefix",
                name + ".",
                "standby.replicas",
                "1",
                // Nothing in this test happens because a session has ended.
                "kafka.session.timeout.ms",
                "300000",
                "state.dir",
                "target/it/state/standby");
        List<EbbConfig> configs = List.of(config(asMember(shared, "a")), config(asMember(shared, "b")));
        List<EbbApplication> instances = instances(configs);
        List<CompletableFuture<RunOutcome>> running = run(instances);
        for (EbbConfig config : configs) {
            Await.until(() -> status(config).at("/partitions").size() == 1 && eventStores(config) == 2);
        }
        EbbConfig staying = configs.get(1);
        put(staying, "/v1/policies/namespace:held", "{\"maxCount\":5}");

        // and events of all kinds, of which most go again
        for (int i = 0; i < 8; i++) {
            for (int id = 0; id < 20; id++) {
                String kind = id == 0 ? ",\"status\":\"pending\"" : id == 19 ? ",\"ttlSeconds\":86400" : "";
                post(
                        staying,
                        "/v1/streams/held%2F" + i + "/events",
                        "{\"type\":\"t\",\"id\":\"" + id + "\"" + kind + "}");
            }
        }
        Await.until(() -> haveFiveEach(heldEvents(configs))
                && heldEvents(configs).values().stream().allMatch(ids -> ids.contains("19")));
        Map<String, List<String>> before = heldEvents(configs);

        // then each of them answers for every stream, its own or not, and both list the same
        for (EbbConfig config : configs) {
            for (String stream : before.keySet()) {
                HttpResponse<String> answer = get(config, "/v1/streams/" + stream);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            }
            assertThat(heldEvents(List.of(config))).isEqualTo(before);
            assertThat(pages(config, "/v1/streams?limit=3")).hasSize(8).isSorted();
            assertThat(json(config, "/v1/namespaces/held").at("/events").asInt())
                    .isEqualTo(40);
            assertThat(json(config, "/v1/instances").at("/instances")).hasSize(2);
            assertThat(json(config, "/v1/instances").at("/unkept")).isEmpty();
        }

        // when one of them is away and the group does not know it yet
        instances.get(0).stop();
        assertThat(running.get(0).get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
        shouldSayWhoIsAway(staying, configs.get(0));

        // and it is removed from the group
        shouldRemoveTheDeadAndNoOther(staying, configs.get(0));

        // then nothing is ever said not to be there, until the other one has taken over
        Set<Integer> seen = new TreeSet<>();
        Await.until(() -> {
            for (String stream : before.keySet()) {
                seen.add(get(staying, "/v1/streams/" + stream + "/events/19").statusCode());
            }
            return status(staying).at("/partitions").size() == 2;
        });
        assertThat(seen).contains(200).isSubsetOf(200, 503);
        Await.until(() -> heldEvents(List.of(staying)).size() == 8);
        assertThat(heldEvents(List.of(staying))).isEqualTo(before);

        // and the index is there as well: what comes again replaces what was there, and is the oldest then
        for (int i = 0; i < 8; i++) {
            post(staying, "/v1/streams/held%2F" + i + "/events", "{\"type\":\"t\",\"id\":\"0\"}");
            post(staying, "/v1/streams/held%2F" + i + "/events", "{\"type\":\"t\",\"id\":\"new\"}");
        }
        Await.until(() -> haveFiveEach(heldEvents(List.of(staying)))
                && heldEvents(List.of(staying)).values().stream().allMatch(ids -> ids.contains("new")));
        assertThat(heldEvents(List.of(staying)).values()).containsOnly(List.of("16", "17", "18", "19", "new"));
        instances.get(1).stop();
        assertThat(running.get(1).get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
    }

    /** Answers of the remaining instance about the partitions of the other one, and of its copy. */
    private void shouldSayWhoIsAway(EbbConfig staying, EbbConfig away) throws Exception {
        String path = "/v1/streams/" + streamThatIsNotAt(staying);
        HttpResponse<String> answer = get(staying, path + "/events/19");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.body()).contains(away.apiAdvertised().toString());
        JsonNode old = json(staying, path + "/events/19?stale=true");
        assertThat(old.at("/id").asText()).isEqualTo("19");
        assertThat(old.at("/stale/0/instance").asText())
                .isEqualTo(staying.apiAdvertised().toString());
        assertThat(old.at("/stale/0/lagRecords").isNumber()).isTrue();
        JsonNode list = json(staying, "/v1/streams");
        assertThat(list.at("/streams").size()).isBetween(1, 7);
        assertThat(list.at("/unanswered/0/instance").asText())
                .isEqualTo(away.apiAdvertised().toString());
        assertThat(json(staying, "/v1/streams?stale=true").at("/streams")).hasSize(8);
        assertThat(json(staying, "/v1/namespaces/held").at("/exact").asBoolean(true))
                .isFalse();
        assertThat(json(staying, "/v1/instances").at("/unanswered")).hasSize(1);
    }

    private void shouldRemoveTheDeadAndNoOther(EbbConfig staying, EbbConfig dead) throws Exception {
        JsonNode instances = json(staying, "/v1/group").at("/instances");
        assertThat(instances.findValuesAsText("member")).containsExactlyInAnyOrder("a", "b");
        assertThat(instances.findValuesAsText("instance"))
                .contains(dead.apiAdvertised().toString());
        assertThat(instances.findValuesAsText("state")).containsExactlyInAnyOrder("NO_ANSWER", "RUNNING");
        assertThat(instances.findValues("lastHeartbeat")).hasSize(2).allMatch(JsonNode::isTextual);
        assertThat(removal(staying, "b").statusCode()).isEqualTo(409);
        HttpResponse<String> removed = removal(staying, "a");
        assertThat(removed.statusCode()).as(removed.body()).isEqualTo(200);
        assertThat(removed.body()).contains("nothing listens at " + dead.apiAdvertised(), "\"withoutCopy\":[]");
    }

    private HttpResponse<String> removal(EbbConfig asked, String member) throws Exception {
        return http.send(
                request(asked, "/v1/instances/" + member + "?reason=test")
                        .DELETE()
                        .build(),
                BodyHandlers.ofString());
    }

    /** One of the streams, in the one of the two partitions that the instance does not keep. */
    private String streamThatIsNotAt(EbbConfig config) throws Exception {
        Map<Integer, String> streams = new TreeMap<>();
        for (int i = 0; i < 8; i++) {
            streams.put(StreamPartition.of(new StreamName("held/" + i), 2), "held%2F" + i);
        }
        return streams.get(1 - status(config).at("/partitions/0/partition").asInt());
    }

    private static boolean haveFiveEach(Map<String, List<String>> events) {
        return events.size() == 8 && events.values().stream().allMatch(ids -> ids.size() == 5);
    }

    /** Number of partitions whose events the instance keeps on its disk, its own and those that it follows. */
    private static long eventStores(EbbConfig config) throws IOException {
        try (Stream<Path> files = Files.walk(config.get(Settings.STATE_DIR))) {
            return files.filter(path -> path.endsWith(Path.of("rocksdb", "events")))
                    .count();
        }
    }

    /** Instances of one application, not running yet; their topics are there. */
    private List<EbbApplication> instances(List<EbbConfig> configs) {
        createTopics(configs.get(0));
        return configs.stream()
                .map(config -> new EbbApplication(config, recorder))
                .toList();
    }

    private static List<CompletableFuture<RunOutcome>> run(List<EbbApplication> instances) {
        return instances.stream()
                .map(instance -> CompletableFuture.supplyAsync(instance::run))
                .toList();
    }

    /** With a name of its own in the group, in which it stays when it stops. */
    private static Map<String, String> asMember(Map<String, String> shared, String instance) {
        Map<String, String> all = withStateOf(shared, instance);
        all.put("group.instance.id", instance);
        return all;
    }

    private static Map<String, String> withStateOf(Map<String, String> shared, String instance) {
        Map<String, String> all = new HashMap<>(shared);
        all.put("state.dir", shared.get("state.dir") + System.nanoTime() + instance);
        return all;
    }

    /** Fills the stream and deletes it by force, again and again; remembers how each delete ended. */
    private void churn(EbbConfig config, String stream, AtomicBoolean isOver, List<String> outcomes) {
        try {
            for (int round = 0; !isOver.get(); round++) {
                String id = "{\"type\":\"t\",\"id\":\"" + round;
                post(config, stream + "/events", "[" + id + "-a\"}," + id + "-b\",\"status\":\"pending\"}]");
                HttpResponse<String> answer = http.send(
                        request(config, stream + "?force=true&reason=test")
                                .DELETE()
                                .build(),
                        BodyHandlers.ofString());
                String refusal = new ObjectMapper()
                        .readTree(answer.body())
                        .at("/refusal")
                        .asText("");
                outcomes.add((answer.statusCode() + " " + refusal).strip());
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The ids of all events of each held stream, on any instance. */
    private Map<String, List<String>> heldEvents(List<EbbConfig> configs) throws Exception {
        Map<String, List<String>> events = new TreeMap<>();
        for (int i = 0; i < 8; i++) {
            String stream = "held%2F" + i;
            for (EbbConfig config : configs) {
                HttpResponse<String> answer =
                        get(config, "/v1/streams/" + stream + "/events?limit=1000&include-expired=true");
                if (answer.statusCode() == 200) {
                    events.put(stream, ids(answer));
                }
            }
        }
        return events;
    }

    /** The names on all pages, in their order. */
    private List<String> pages(EbbConfig config, String path) throws Exception {
        List<String> names = new ArrayList<>();
        String after = "";
        do {
            JsonNode page =
                    new ObjectMapper().readTree(get(config, path + after).body());
            page.at("/streams").forEach(stream -> names.add(stream.at("/stream").asText()));
            after = page.hasNonNull("next")
                    ? "&after=" + URLEncoder.encode(page.at("/next").asText(), StandardCharsets.UTF_8)
                    : "";
        } while (!after.isEmpty());
        return names;
    }

    private static List<String> ids(HttpResponse<String> answer) throws IOException {
        List<String> ids = new ArrayList<>();
        new ObjectMapper()
                .readTree(answer.body())
                .at("/events")
                .forEach(event -> ids.add(event.at("/id").asText()));
        return ids;
    }

    private CompletableFuture<RunOutcome> start(EbbConfig config) throws Exception {
        createTopics(config);
        application = new EbbApplication(config, recorder);
        CompletableFuture<RunOutcome> running = CompletableFuture.supplyAsync(application::run);
        Await.until(() -> get(config, "/health/ready").statusCode() == 200);
        return running;
    }

    private void stop(CompletableFuture<RunOutcome> running) throws Exception {
        application.stop();
        assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
    }

    private static EbbConfig config(Map<String, String> flags) throws IOException {
        Map<String, String> all = new HashMap<>(flags);
        try (ServerSocket free = new ServerSocket(0)) {
            all.put("api.listen", "127.0.0.1:" + free.getLocalPort());
        }
        all.putIfAbsent("commit.interval", "100ms");
        return SharedStack.config(all);
    }

    private static void createTopics(EbbConfig config) {
        try (Admin admin = new KafkaClients(config).admin()) {
            new TopicAdmin(admin, config).create();
        }
    }

    private JsonNode status(EbbConfig config) throws Exception {
        return json(config, "/v1/status");
    }

    private JsonNode json(EbbConfig config, String path) throws Exception {
        return new ObjectMapper().readTree(get(config, path).body());
    }

    private HttpResponse<String> get(EbbConfig config, String path) throws Exception {
        return http.send(request(config, path).GET().build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(EbbConfig config, String path, String body) throws Exception {
        return http.send(
                request(config, path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> put(EbbConfig config, String path, String body) throws Exception {
        return http.send(
                request(config, path).PUT(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(EbbConfig config, String path) {
        return HttpRequest.newBuilder(URI.create("http://" + config.get(Settings.API_LISTEN) + path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(20));
    }

    /** Reports, in order. */
    private static final class Recorder implements LifecycleObserver {

        private final List<String> events = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void refused(String reason) {
            events.add("refused " + reason);
        }

        @Override
        public void stopped(RunOutcome outcome) {
            events.add("stopped " + outcome);
        }
    }
}
