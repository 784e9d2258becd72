package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.kafka.EventUpload;
import dev.ebb.model.EventBuilder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Watches, through REST, a stream whose events fall due one after the other while no sweep comes by. */
final class DueReads {

    static final int EVENTS = 40;

    private static final String STREAM = "soon/clock";
    private static final String STAYS = "stays";
    private static final Duration LEAD = Duration.ofSeconds(5);
    private static final Duration DISTANCE = Duration.ofMillis(50);
    /** Both clocks are that of this machine. */
    private static final long TOLERANCE_MS = 5;

    private static final int PAGE = 7;

    private final RunningStack stack;
    private final Map<String, Long> expiresAt = new TreeMap<>();
    private int seenAlive;

    DueReads(RunningStack stack) {
        this.stack = stack;
    }

    /** A sweep of the namespace comes once a day: one has just been there. */
    void storeEventsThatFallDueSoon() throws Exception {
        setInterval("1d");
        send(EventBuilder.event(STREAM, STAYS));
        awaitStored(1);
        Instant now = Instant.now();
        Await.until("a sweep of each partition", () -> Quiet.missing(stack.status(), stack.topics(), now));
        long first = System.currentTimeMillis() + LEAD.toMillis();
        for (int i = 0; i < EVENTS; i++) {
            expiresAt.put("e" + i, first + i * DISTANCE.toMillis());
        }
        EventBuilder[] events = expiresAt.entrySet().stream()
                .map(due -> EventBuilder.event(STREAM, due.getKey()).expiresAt(due.getValue()))
                .toArray(EventBuilder[]::new);
        send(events);
        awaitStored(1 + EVENTS);
    }

    /** Looks again and again until all are gone; returns how often one was seen alive. */
    int watch() throws Exception {
        Await.until("all events that are due to be out of sight", () -> {
            Set<String> seen = list();
            findNext();
            return seen.size() > 1 ? seen.size() + " are still seen" : "";
        });
        return seenAlive;
    }

    /** Events that are there though no reader sees them. */
    int stored() {
        return Stored.eventsOf(stack.api(), STREAM, true).size();
    }

    int shownByCommand() throws Exception {
        String out = stack.command("event", "list", STREAM, "-o", "json");
        return Json.parse(out).path("events").size();
    }

    /** Rows of the view that leaves out what is due, once all rows are in the table. */
    int shownBySql() throws Exception {
        try (Connection sql = stack.sql()) {
            Await.until("all events in SQL", () -> {
                int rows = count(sql, "event");
                return rows == 1 + EVENTS ? "" : rows + " are";
            });
            return count(sql, "live_event");
        }
    }

    void sweepSoon() throws Exception {
        setInterval("1s");
        awaitStored(1);
    }

    private Set<String> list() {
        Set<String> seen = new HashSet<>();
        String after = null;
        long end;
        do {
            long begin = System.currentTimeMillis();
            JsonNode page = stack.api()
                    .get(RestPath.of("v1", "streams", STREAM, "events")
                            .with("limit", PAGE)
                            .with("after", after));
            end = System.currentTimeMillis();
            for (JsonNode event : page.path("events")) {
                checkAlive(event.path("id").textValue(), begin);
                seen.add(event.path("id").textValue());
            }
            after = page.path("next").textValue();
        } while (after != null);
        long last = end;
        expiresAt.keySet().stream().filter(id -> !seen.contains(id)).forEach(id -> checkDue(id, last));
        return seen;
    }

    /** Asks for the event that falls due next. */
    private void findNext() {
        long begin = System.currentTimeMillis();
        expiresAt.entrySet().stream()
                .filter(due -> due.getValue() >= begin)
                .min(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .ifPresent(id -> {
                    JsonNode found = stack.api().find(RestPath.of("v1", "streams", STREAM, "events", id));
                    if (found.isEmpty()) {
                        checkDue(id, System.currentTimeMillis());
                    } else {
                        checkAlive(id, begin);
                    }
                });
    }

    private void checkAlive(String id, long beforeMs) {
        if (!id.equals(STAYS)) {
            seenAlive++;
            assertThat(expiresAt.get(id) + TOLERANCE_MS)
                    .as("%s was shown to a reader who asked after it was due", id)
                    .isGreaterThanOrEqualTo(beforeMs);
        }
    }

    private void checkDue(String id, long afterMs) {
        assertThat(expiresAt.get(id) - TOLERANCE_MS)
                .as("%s was hidden from a reader before it was due", id)
                .isLessThan(afterMs);
    }

    private void awaitStored(int count) throws Exception {
        Await.until(count + " events of " + STREAM, () -> {
            int stored = stored();
            return stored == count ? "" : stored + " are stored";
        });
    }

    private void setInterval(String interval) {
        stack.api()
                .put(
                        RestPath.of("v1", "policies", "namespace:soon"),
                        Json.object().put("interval", interval).put("maxAge", "unlimited"));
    }

    private void send(EventBuilder... events) {
        stack.kafka().upload(line -> {}, (EventUpload upload) -> {
            for (EventBuilder event : events) {
                upload.send(event.build());
            }
        });
    }

    private static int count(Connection sql, String table) throws Exception {
        try (Statement statement = sql.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT count(*) FROM " + table + " WHERE stream = '" + STREAM + "'")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
