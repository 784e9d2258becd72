package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.browser.BrowserTab;
import dev.ebb.browser.Chromium;
import dev.ebb.cli.CommandRun;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.it.Await;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.RunOutcome;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random commands to one instance, and after each of them the same questions to the command line, REST and the console:
 * their words and numbers are equal, and what a dry run, a plan or a list says is what happens (O-25). States of one
 * sequence share namespaces that no other sequence has, so {@code -Dtest.seed=N} plays one again;
 * {@code -Dtest.cases=N} makes N states.
 */
@Tag("O-25")
@Timeout(3600)
@TestInstance(Lifecycle.PER_CLASS)
class MouthsAgreeIT {

    private static final int DEFAULT_STATES = 40;
    private static final int STATES_OF_SEQUENCE = 20;
    private static final long FIRST_SEED = 20_261_129;
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    /** Sweeps run when a command asks for one. */
    private static final String NO_SWEEP = "12h";

    private Path folder = Path.of("");
    private EbbConfig config;
    private EbbApplication application;
    private CompletableFuture<RunOutcome> running;
    private Mouths mouths;
    private @Nullable Chromium chromium;
    private @Nullable BrowserTab tab;

    private Random random = new Random(0);
    private final List<String> done = new ArrayList<>();
    private boolean looksAtConsole;
    /** Beginning of the names of this sequence. */
    private String prefix = "";

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        try (ServerSocket free = new ServerSocket(0)) {
            config = SharedStack.config(Map.of(
                    "api.listen",
                    "127.0.0.1:" + free.getLocalPort(),
                    "commit.interval",
                    "50ms",
                    "brake.min.events",
                    "3",
                    "sweep.interval",
                    NO_SWEEP));
        }
        try (Admin admin = new KafkaClients(config).admin()) {
            new TopicAdmin(admin, config).create();
        }
        application = new EbbApplication(config, new LifecycleObserver() {});
        running = CompletableFuture.supplyAsync(application::run);
        mouths = new Mouths("http://" + config.get(Settings.API_LISTEN));
        Await.until(() -> mouths.get("/health/ready").isObject());
        Optional<Path> program = Chromium.program();
        if (program.isPresent()) {
            chromium = Chromium.start(program.get(), folder.resolve("browser"));
            tab = chromium.tab(1280, 900);
            tab.open("http://" + config.get(Settings.API_LISTEN) + "/#/streams");
            tab.awaitText("Streams").click("UTC");
        }
    }

    @AfterAll
    void stop() throws Exception {
        if (tab != null && chromium != null) {
            tab.close();
            chromium.close();
        }
        application.stop();
        assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
    }

    @Test
    void shouldSayTheSameOfRandomStates() throws Exception {
        Long only = Long.getLong("test.seed");
        int sequences =
                only != null ? 1 : Math.max(1, Integer.getInteger("test.cases", DEFAULT_STATES) / STATES_OF_SEQUENCE);
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < sequences; i++) {
            long seed = only != null ? only : FIRST_SEED + i;
            long begin = System.nanoTime();
            try {
                play(seed);
            } catch (AssertionError e) {
                failures.add(e.getMessage());
                tidy();
            }
            System.out.println("MouthsAgreeIT: seed " + seed + ", " + STATES_OF_SEQUENCE + " states in "
                    + (System.nanoTime() - begin) / 1_000_000 + " ms");
        }
        assertThat(failures).isEmpty();
    }

    private void play(long seed) throws Exception {
        random = new Random(seed);
        prefix = "m" + seed;
        done.clear();
        for (int state = 0; state < STATES_OF_SEQUENCE; state++) {
            try {
                if (state == 0) {
                    send();
                    send();
                }
                change();
                compare();
            } catch (AssertionError | Exception e) {
                throw new AssertionError(
                        "-Dtest.seed=" + seed + ", state " + state + ": " + e.getMessage() + "\nafter:\n"
                                + String.join("\n", done),
                        e);
            }
        }
        tidy();
    }

    /** Leaves nothing to the next sequence that acts on its streams or lengthens its lists. */
    private void tidy() throws Exception {
        for (String hold : texts(mouths.get("/v1/holds").path("holds"), "case")) {
            mouths.run("hold release " + hold + " --reason over --yes");
            mouths.run("policy confirm hold:" + hold + " --reason over --yes");
        }
        for (String scope : texts(mouths.get("/v1/policies").path("policies"), "scope")) {
            mouths.run("policy delete " + scope + " --reason over --yes");
        }
    }

    // Changes of the state.

    private void change() throws Exception {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            switch (random.nextInt(9)) {
                case 0, 1, 2, 3 -> send();
                case 4 -> act("policy set " + scope() + fields() + " --reason r");
                case 5 -> applyAsPlanned();
                case 6 -> holdOrRelease();
                case 7 -> deleteAsForetold();
                default -> undoAsForetold();
            }
        }
    }

    private String namespace() {
        return prefix + "abc".charAt(random.nextInt(3));
    }

    private String stream() {
        return namespace() + "/" + random.nextInt(3);
    }

    private String scope() {
        return random.nextInt(3) == 0 ? "stream:" + stream() : "namespace:" + namespace();
    }

    private String fields() {
        String chosen = "";
        String[] all = {
            " --max-age " + one("1h", "30d", "400d", "unlimited"),
            " --max-count " + one("2", "4", "unlimited"),
            " --keep-last " + one("1", "2", "none"),
            " --min-age " + one("1h", "none"),
            " --mode " + one("warn", "enforce", "enforce"),
            " --anchor " + one("occurred", "occurred", "stored", "completed"),
            " --allow-infinite-ttl",
            " --undo " + one("1d", "none")
        };
        for (String field : all) {
            chosen += random.nextInt(3) == 0 ? field : "";
        }
        return chosen.isEmpty() ? all[0] : chosen;
    }

    private String one(String... words) {
        return words[random.nextInt(words.length)];
    }

    private void send() throws Exception {
        String stream = stream();
        List<String> events = new ArrayList<>();
        String id = "";
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            id = "e" + random.nextInt(12);
            // Due at once: what falls due between a dry run and its act would be no disagreement.
            String past =
                    ",\"expiresAt\":" + Instant.now().minus(1, ChronoUnit.DAYS).toEpochMilli();
            String time =
                    Instant.now().minus(random.nextInt(60), ChronoUnit.DAYS).toString();
            events.add("{\"id\":\"" + id + "\",\"type\":\"t\",\"occurredAt\":\"" + time + "\""
                    + one(
                            "",
                            "",
                            ",\"status\":\"completed\"",
                            ",\"status\":\"pending\"",
                            past,
                            ",\"ttlSeconds\":90000",
                            ",\"noExpiration\":true")
                    + "}");
        }
        String body = "[" + String.join(",", events) + "]";
        done.add("POST " + stream + " " + body);
        if (!mouths.accepts("/v1/streams/" + stream.replace("/", "%2F") + "/events", body)) {
            return;
        }
        String last = "\"" + id + "\"";
        Await.until(() -> mouths.get(eventsOf(stream)).toString().contains(last));
    }

    private CommandRun act(String words) {
        CommandRun run = mouths.run(words);
        done.add("ebb " + words + " → " + run.exitCode() + " " + run.err().strip());
        assertThat(run.exitCode()).as("%s: %s", words, run.err()).isIn(0, 1, 5);
        return run;
    }

    private void holdOrRelease() throws Exception {
        List<String> held = texts(mouths.get("/v1/holds").path("holds"), "case");
        if (held.isEmpty() || random.nextInt(3) > 0) {
            act("hold place " + prefix + "H" + random.nextInt(3) + " --covers " + scope() + " --reason r --yes");
        } else {
            act("hold release " + held.get(0) + " --reason r --yes");
        }
    }

    /** A file does what its plan says. */
    private void applyAsPlanned() throws Exception {
        String scope = "namespace:" + namespace();
        String yaml =
                "policies:\n  - scope: " + scope + "\n    anchor: occurred\n    maxAge: " + one("1h", "30d", "400d")
                        + "\n    keepLast: " + one("none", "1") + "\n    mode: " + one("warn", "enforce")
                        + "\n    mirror: " + one("all", "none") + "\n";
        String file = Files.writeString(Files.createTempFile(folder, "plan", ".yaml"), yaml)
                .toString();
        done.add("plan and apply " + yaml);
        agree("plan", () -> mouths.send("POST", "/v1/policies:plan", "application/yaml", yaml), plan -> {
            JsonNode same = mouths.json("policy plan -f " + file);
            CommandRun words = mouths.run("policy plan -f " + file);
            JsonNode outcome = same.path("outcome");
            assertThat(goes(outcome)).isEqualTo(plan.at("/wouldDelete/events").asLong());
            assertThat(outcome.path("wouldDeleteBytes").asLong()
                            - outcome.path("keptByWarnBytes").asLong())
                    .isEqualTo(plan.at("/wouldDelete/bytes").asLong());
            long rows = plan.at("/wouldDelete/rows").asLong();
            assertThat(outcome.path("rowsWouldGo").asLong()).isEqualTo(rows);
            assertThat(words.out().contains("would go from SQL")).isEqualTo(rows > 0);
            long sum = 0;
            for (JsonNode row : plan.path("namespaces")) {
                sum += row.at("/wouldDelete/events").asLong();
            }
            assertThat(sum).isEqualTo(plan.at("/wouldDelete/events").asLong());
            boolean isHeld = plan.at("/brake/heldBack").asBoolean();
            assertThat(words.exitCode()).as(words.out()).isEqualTo(isHeld ? 5 : 0);
            assertThat(words.out()).contains(isHeld ? "would be held back" : "Verdict: ");
            assertThat(words.out())
                    .contains(
                            sum == 0
                                    ? "nothing would be deleted"
                                    : sum + (sum == 1 ? " event" : " events") + " would go");
        });
        boolean isHeld = mouths.send("POST", "/v1/policies:plan", "application/yaml", yaml)
                .at("/brake/heldBack")
                .asBoolean();
        CommandRun applied = act("policy apply -f " + file + " --reason r");
        assertThat(applied.exitCode())
                .as("held back as planned: %s", applied.out())
                .isEqualTo(isHeld ? 5 : 0);
        if (isHeld) {
            act((random.nextBoolean() ? "policy confirm " : "policy delete ") + scope + " --reason r --yes");
        }
    }

    /** A dry run counts what the command then deletes. */
    private void deleteAsForetold() throws Exception {
        String stream = stream();
        String words =
                switch (random.nextInt(5)) {
                    case 0 -> "sweep --namespace " + namespace();
                    case 1 -> "purge --namespace " + namespace();
                    case 2 -> "prune " + stream + " --keep-last 1";
                    case 3 -> "delete " + stream;
                    default -> "event delete " + stream + " e" + random.nextInt(12);
                };
        actAsForetold(words + " --reason r", " --yes");
    }

    private void undoAsForetold() throws Exception {
        JsonNode deletions = mouths.get("/v1/trash").path("deletions");
        List<String> own = StreamSupport.stream(deletions.spliterator(), false)
                .filter(row -> row.path("namespace").asText().startsWith(prefix))
                .map(row -> row.path("commandId").isTextual()
                        ? "--command " + row.path("commandId").asText()
                        : "--policy " + row.path("change").asText())
                .toList();
        if (!own.isEmpty()) {
            actAsForetold("undo " + own.get(random.nextInt(own.size())) + " --reason r", " --yes");
        }
    }

    private void actAsForetold(String words, String yes) throws Exception {
        CommandRun first = mouths.run(words + " --dry-run -o json");
        if (first.exitCode() != 0) {
            CommandRun refused = act(words + yes);
            assertThat(refused.exitCode())
                    .as("%s: %s, %s", words, first, refused)
                    .isEqualTo(first.exitCode());
            return;
        }
        JsonNode foretold = mouths.json(words + " --dry-run");
        CommandRun told = mouths.run(words + " --dry-run");
        CommandRun run = mouths.run(words + yes + " -o json");
        done.add("ebb " + words + " → " + run.exitCode() + " " + run.err().strip());
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode outcome = new ObjectMapper().readTree(run.out()).path("outcome");
        JsonNode would = foretold.path("outcome");
        assertThat(outcome.path("eventsDeleted").asLong()).as(words).isEqualTo(goes(would));
        assertThat(outcome.path("streamsDeleted").asLong())
                .as(words)
                .isEqualTo(would.path("wouldDeleteStreams").asLong());
        assertThat(outcome.path("bytesDeleted").asLong())
                .as(words)
                .isEqualTo(would.path("wouldDeleteBytes").asLong()
                        - would.path("keptByWarnBytes").asLong());
        for (String field : List.of("events", "bytes", "notReturned")) {
            assertThat(outcome.path(field)).as("%s of %s", field, words).isEqualTo(would.path(field));
        }
        assertThat(Mouths.fact(told.out(), "events would go"))
                .as(told.out())
                .isEqualTo(outcome.path("eventsDeleted").asLong());
        assertThat(Mouths.fact(told.out(), "events that would come back"))
                .as(told.out())
                .isEqualTo(outcome.path("events").asLong());
    }

    // Comparisons.

    private void compare() throws Exception {
        String namespace = namespace();
        // Drawn here, since a comparison may be made several times.
        looksAtConsole = random.nextInt(3) == 0;
        agree("namespaces", () -> mouths.get("/v1/namespaces"), this::namespaces);
        agree("streams", () -> mouths.get("/v1/streams?namespace=" + namespace), page -> streams(namespace, page));
        agree("fates", () -> all(namespace), all -> fates(namespace, all));
        agree("holds", () -> mouths.get("/v1/holds"), this::holds);
        agree("trash", () -> mouths.get("/v1/trash"), this::trash);
        agree("audit", () -> mouths.get("/v1/audit?limit=15"), this::audit);
        agree("policies", () -> mouths.get("/v1/policies"), this::policies);
    }

    private interface Check {
        void of(JsonNode answer) throws Exception;
    }

    /** Compares until all agree: what is still on its way to one of them, or falls due now, is no disagreement. */
    private static void agree(String what, Callable<JsonNode> question, Check check) throws Exception {
        Await.until(what, PATIENCE, () -> {
            JsonNode answer = question.call();
            try {
                check.of(answer);
                return "";
            } catch (AssertionError e) {
                return e.getMessage() + "\nof " + answer;
            }
        });
    }

    private void namespaces(JsonNode all) throws Exception {
        assertThat(mouths.json("namespace list")).isEqualTo(all);
        Map<String, Map<String, String>> table = mouths.table("namespace list");
        for (JsonNode one : all.path("namespaces")) {
            String name = one.path("namespace").asText();
            Map<String, String> row = table.getOrDefault(name, Map.of());
            assertThat(row)
                    .containsEntry("STREAMS", grouped(one.path("streams")))
                    .containsEntry("EVENTS", grouped(one.path("events")))
                    .containsEntry("PROTECTED", grouped(one.path("protectedEvents")))
                    .containsEntry("EXPIRING", grouped(one.at("/expiring/events")));
            if (name.startsWith(prefix)) {
                JsonNode streams = mouths.get("/v1/streams?namespace=" + name).path("streams");
                assertThat(streams.size())
                        .as("%s", streams)
                        .isEqualTo(one.path("streams").asInt());
                for (String field : List.of("events", "bytes", "protectedEvents")) {
                    assertThat(sum(streams, field))
                            .as("%s of %s", field, name)
                            .isEqualTo(one.path(field).asLong());
                }
            }
        }
    }

    private void streams(String namespace, JsonNode page) throws Exception {
        assertThat((Object) mouths.json("stream list --namespace " + namespace).path("streams"))
                .isEqualTo(page.path("streams"));
        if (page.path("streams").isEmpty()) {
            return;
        }
        Map<String, Map<String, String>> table = mouths.table("stream list --namespace " + namespace);
        Map<String, String> shown = new TreeMap<>();
        for (JsonNode one : page.path("streams")) {
            String name = one.path("stream").asText();
            Map<String, String> row = table.getOrDefault(name, Map.of());
            boolean isHeld = one.path("held").asBoolean();
            assertThat(row)
                    .as(name)
                    .containsEntry("EVENTS", grouped(one.path("events")))
                    .containsEntry("PROTECTED", grouped(one.path("protectedEvents")))
                    .containsEntry("OWN TTL", grouped(one.path("timedEvents")));
            assertThat(row.getOrDefault("HELD", "")).as(name).isEqualTo(isHeld ? "held" : "");
            if (!one.path("nextDueUnknown").asBoolean()) {
                assertThat(row)
                        .as(name)
                        .containsEntry("NEXT DUE", one.path("nextDue").asText("-"));
            }
            shown.put(
                    name,
                    String.join(
                            " ",
                            List.of(
                                    grouped(one.path("events")),
                                    grouped(one.path("protectedEvents")),
                                    isHeld ? "held" : "no",
                                    one.path("nextDue").isTextual() ? "due" : "–")));
        }
        console(
                "streams?namespace=" + namespace,
                "rows('Streams', r => [r[1], r[3], r[4], r[7].length > 1 ? 'due' : r[7]])",
                shown);
    }

    /** All events of a namespace as lists have them, each with the decision that its explanation has. */
    private JsonNode all(String namespace) throws Exception {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        ArrayNode events = all.putArray("events");
        JsonNode streams = mouths.get("/v1/streams?namespace=" + namespace).path("streams");
        all.set("streams", streams);
        for (JsonNode stream : streams) {
            String name = stream.path("stream").asText();
            for (JsonNode event : mouths.get(eventsOf(name)).path("events")) {
                ObjectNode both = event.deepCopy();
                JsonNode why = mouths.get("/v1/streams/" + name.replace("/", "%2F") + "/explain?event="
                        + event.path("id").asText());
                both.put("reason", why.at("/event/reason").asText());
                both.put("removed", why.at("/event/decision").asText().equals("REMOVE"));
                both.put("warns", why.at("/policy/mode/value").asText().equals("warn"));
                events.add(both);
            }
        }
        return all;
    }

    private void fates(String namespace, JsonNode all) throws Exception {
        Map<String, List<JsonNode>> byStream = StreamSupport.stream(
                        all.path("events").spliterator(), false)
                .collect(Collectors.groupingBy(one -> one.path("stream").asText(), TreeMap::new, Collectors.toList()));
        long goes = 0;
        long warned = 0;
        long later = 0;
        long soon = 0;
        for (JsonNode one : all.path("events")) {
            String fate = one.path("fate").asText();
            boolean isRemoved = one.path("removed").asBoolean();
            boolean warns = one.path("warns").asBoolean();
            goes += isRemoved && !warns ? 1 : 0;
            warned += isRemoved && warns ? 1 : 0;
            later += !isRemoved && fate.equals("goes") ? 1 : 0;
            soon += (fate.equals("goes") || fate.equals("kept")) && within(one.path("dueAt"), 48) ? 1 : 0;
            switch (one.path("reason").asText()) {
                case "HELD", "PROTECTED", "INFINITE" ->
                    assertThat(fate)
                            .as(one.toString())
                            .isEqualToIgnoringCase(one.path("reason").asText());
                case "MAX_AGE", "TTL" -> assertThat(fate).as(one.toString()).isEqualTo(warns ? "kept" : "goes");
                default -> assertThat(fate).as(one.toString()).isNotIn("held", "protected", "infinite");
            }
        }
        for (JsonNode stream : all.path("streams")) {
            List<JsonNode> events = byStream.getOrDefault(stream.path("stream").asText(), List.of());
            assertThat(events).hasSize(stream.path("events").asInt());
            Optional<String> first = events.stream()
                    .filter(one -> one.path("fate").asText().equals("goes"))
                    .map(one -> one.path("dueAt").asText())
                    .min(String::compareTo);
            if (!stream.path("nextDueUnknown").asBoolean()) {
                assertThat(stream.path("nextDue").asText(""))
                        .as(stream + " of " + events)
                        .isEqualTo(first.orElse(""));
            }
            assertThat(events.stream().anyMatch(one -> one.path("fate").asText().equals("held")))
                    .isEqualTo(stream.path("held").asBoolean() && !events.isEmpty());
        }
        lists(byStream);
        if (all.path("events").isEmpty()) {
            return;
        }
        sweep(namespace, goes, warned);
        forecast(namespace, all.path("events").size(), goes, later);
        assertThat(mouths.json("event list --limit 100 --namespace " + namespace
                                + " --include-expired --expiring-within 48h")
                        .path("events"))
                .as("expiring within 48 h")
                .hasSize((int) soon);
    }

    private static boolean within(JsonNode due, int hours) {
        return due.isTextual()
                && Instant.parse(due.asText()).isBefore(Instant.now().plus(hours, ChronoUnit.HOURS));
    }

    /** The word of people for a fate. */
    private static String said(String fate) {
        return switch (fate) {
            case "never" -> "never by age";
            case "infinite" -> "kept for ever";
            default -> fate;
        };
    }

    private void lists(Map<String, List<JsonNode>> byStream) throws Exception {
        for (var stream : byStream.entrySet()) {
            Map<String, Map<String, String>> table =
                    mouths.table("event list " + stream.getKey() + " --include-expired");
            Map<String, String> shown = new TreeMap<>();
            for (JsonNode one : stream.getValue()) {
                String fate = one.path("fate").asText();
                String word =
                        table.getOrDefault(one.path("id").asText(), Map.of()).getOrDefault("GOES", "");
                if (fate.equals("goes")) {
                    assertThat(word).as(one.toString()).matches("in .*|expired");
                } else {
                    assertThat(word).as(one.toString()).isEqualTo(said(fate));
                }
                shown.put(one.path("id").asText(), said(fate));
            }
            console(
                    "streams/" + stream.getKey().replace("/", "%2F"),
                    "rows('Events', r => [/held|protected|guarded|kept for ever|kept|never by age|goes/.exec(r[5])[0]])",
                    shown);
        }
    }

    private void sweep(String namespace, long goes, long warned) throws Exception {
        String words = "sweep --namespace " + namespace + " --dry-run";
        JsonNode outcome = mouths.json(words).path("outcome");
        assertThat(outcome.path("eventsDeleted").asLong())
                .as("a dry run: %s", outcome)
                .isZero();
        assertThat(goes(outcome)).as("a sweep: %s", outcome).isEqualTo(goes);
        assertThat(outcome.path("keptByWarn").asLong())
                .as("only warned of: %s", outcome)
                .isEqualTo(warned);
        CommandRun table = mouths.run(words);
        assertThat(Mouths.fact(table.out(), "events would go")).isEqualTo(goes);
        assertThat(Mouths.fact(table.out(), "events kept by mode warn")).isEqualTo(warned);
    }

    /** Returns what a dry run says would go, without what only mode warn keeps. */
    private static long goes(JsonNode outcome) {
        return outcome.path("wouldDelete").asLong() - outcome.path("keptByWarn").asLong();
    }

    private void forecast(String namespace, long events, long goes, long later) throws Exception {
        JsonNode answer = mouths.get("/v1/forecast?namespace=" + namespace);
        JsonNode row = answer.path("namespaces").path(0);
        if (!answer.path("exact").asBoolean()) {
            // It says that it is a guess, as all mouths do.
            assertThat(row.at("/stored/events").asLong()).as("%s", answer).isEqualTo(events);
            return;
        }
        assertThat(row.at("/stored/events").asLong()).as("%s", answer).isEqualTo(events);
        assertThat(row.at("/overdue/events").asLong())
                .as("overdue of %s", answer)
                .isEqualTo(goes);
        long due =
                row.at("/sooner/events").asLong() + row.at("/later/events").asLong() + sum(row.path("due"), "events");
        assertThat(due).as("due of %s", answer).isEqualTo(later);
        assertThat(row.at("/never/events").asLong()).isEqualTo(events - goes - later);
        Map<String, String> shown = StreamSupport.stream(
                        mouths.run("forecast --namespace " + namespace)
                                .out()
                                .lines()
                                .spliterator(),
                        false)
                .filter(line -> line.startsWith(namespace + " "))
                .collect(Collectors.toMap(line -> namespace, line -> line.replaceAll(" +", " ")));
        assertThat(shown.get(namespace)).startsWith(namespace + " " + events + " " + goes + " ");
    }

    private void holds(JsonNode all) throws Exception {
        assertThat(mouths.json("hold list")).isEqualTo(all);
        Map<String, String> shown = new TreeMap<>();
        for (JsonNode one : all.path("holds")) {
            String covers = one.path("covers").asText();
            String query = covers.startsWith("stream:")
                    ? "prefix=" + covers.substring(7).replace("/", "%2F")
                    : "namespace=" + covers.substring(10);
            shown.put(
                    one.path("case").asText(),
                    grouped(sum(mouths.get("/v1/streams?" + query).path("streams"), "events")));
        }
        if (!shown.isEmpty()) {
            assertThat(mouths.table("hold list").keySet()).isEqualTo(new TreeMap<>(shown).keySet());
            console("holds", "rows('Holds in force', r => [r[2]])", shown);
        }
    }

    private void trash(JsonNode page) throws Exception {
        assertThat(mouths.json("trash list")).isEqualTo(page);
        if (page.path("deletions").isEmpty()) {
            return;
        }
        List<String> rows = mouths.run("trash list")
                .out()
                .lines()
                .skip(1)
                .map(line -> line.replaceAll(" +", " "))
                .toList();
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < rows.size() && i < page.path("deletions").size(); i++) {
            JsonNode one = page.path("deletions").get(i);
            String by = one.path("commandId").isTextual()
                    ? "command " + one.path("commandId").asText()
                    : one.path("change").asText();
            assertThat(rows.get(i))
                    .contains(" " + by + " " + one.path("cause").asText() + " "
                            + one.path("namespace").asText() + " " + grouped(one.path("events")) + " ");
            shown.add(grouped(one.path("events")));
        }
        if (!shown.isEmpty()) {
            consoleIs("undo", "table('Deletes that can be undone').map(r => r[4])", shown.toString());
        }
    }

    private void audit(JsonNode page) throws Exception {
        assertThat(mouths.json("audit list --limit 15").path("audit")).isEqualTo(page.path("audit"));
        Map<String, Map<String, String>> table = mouths.table("audit list --limit 15");
        for (JsonNode one : page.path("audit")) {
            Map<String, String> row = table.getOrDefault(one.path("at").asText(), Map.of());
            assertThat(row).as(one.toString()).isNotEmpty();
        }
    }

    private void policies(JsonNode all) throws Exception {
        assertThat(mouths.json("policy list")).isEqualTo(all);
        if (!all.path("policies").isEmpty()) {
            assertThat(mouths.table("policy list").keySet()).containsAll(texts(all.path("policies"), "scope"));
        }
    }

    // The console.

    private static final String TABLE = "const table = label => [...document.querySelectorAll('table')]"
            + ".filter(t => (t.getAttribute('aria-label') || t.caption?.textContent || '') === label)"
            + ".flatMap(t => [...t.tBodies].flatMap(b => [...b.rows]))"
            + ".map(r => [...r.cells].map(c => c.textContent.replaceAll('\\u00a0', ' ').trim()));"
            + "const rows = (label, of) => Object.fromEntries(table(label).map(r => [r[0].split(' ')[0], of(r).join(' ')]).sort());";

    private void console(String place, String expression, Map<String, String> expected) throws Exception {
        String text = "{"
                + new TreeMap<>(expected)
                        .entrySet().stream()
                                .map(one -> "\"" + one.getKey() + "\":\"" + one.getValue() + "\"")
                                .collect(Collectors.joining(","))
                + "}";
        consoleIs(place, expression, text);
    }

    /** Waits until a screen shows that: its answers come a moment later than those that are compared. */
    private void consoleIs(String place, String expression, String expected) {
        BrowserTab page = tab;
        if (page == null || !looksAtConsole) {
            return;
        }
        String at = "#/" + place;
        // From another screen, since one that stays asks again a moment later.
        page.evaluate("location.hash = '#/verify'");
        page.evaluate("location.hash = '" + at + "'");
        String shown = "(() => { " + TABLE + " return JSON.stringify(" + expression + "); })()";
        String wanted = expected.replace(", ", "\",\"")
                .replaceFirst("^\\[", "[\"")
                .replaceFirst("\\]$", "\"]")
                .replace("\\", "\\\\")
                .replace("'", "\\'");
        try {
            page.await(shown + " === '" + (expected.startsWith("[") ? wanted : expected) + "'");
        } catch (AssertionError e) {
            throw new AssertionError(
                    "console at " + place + " shows " + page.evaluate(shown).asText() + ", expected " + expected, e);
        }
    }

    private static String eventsOf(String stream) {
        return "/v1/streams/" + stream.replace("/", "%2F") + "/events?limit=1000&include-expired=true";
    }

    private static List<String> texts(JsonNode rows, String field) {
        return rows.findValuesAsText(field);
    }

    private static long sum(JsonNode rows, String field) {
        long sum = 0;
        for (JsonNode row : rows) {
            sum += row.path(field).asLong();
        }
        return sum;
    }

    private static String grouped(JsonNode number) {
        return grouped(number.asLong());
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
