package dev.ebb.it;

import static dev.ebb.model.EventBuilder.event;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.it.Load.Route;
import dev.ebb.it.Load.Step;
import dev.ebb.model.EventBuilder;
import dev.ebb.topology.wire.StreamPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Writes the scripts of the streams of a {@link Load}. */
final class LoadStreams {

    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final int FOLLOW_UP_LIMIT = 40;
    /** One has no namespace, and all have what a URL must not have. */
    private static final List<String> ODD_NAMES = List.of("plain", "naïve 😀 %2F;x?y=#z&+", "odd/ä//b c", "odd/..");

    private final Random random;
    private final long startMs;
    private final int partitions;

    LoadStreams(Random random, long startMs, int partitions) {
        this.random = random;
        this.startMs = startMs;
        this.partitions = partitions;
    }

    /** Streams of the namespace whose policy changes. */
    List<List<Step>> shifted() {
        return streams(12, i -> shift("shift/" + i));
    }

    List<List<Step>> others() {
        List<List<Step>> all = new ArrayList<>();
        all.addAll(streams(14, i -> age("age/" + i)));
        all.addAll(streams(6, i -> jobs("jobs/" + i)));
        all.addAll(streams(8, i -> cap("cap/" + i)));
        all.addAll(streams(6, i -> bytes("bytes/" + i)));
        all.addAll(streams(3, i -> bounded("bounded/" + i)));
        all.addAll(streams(3, i -> keep("keep/" + i)));
        all.addAll(streams(2, i -> cached("cached/" + i)));
        all.addAll(streams(4, i -> misrouted("misrouted/" + i, i)));
        all.addAll(streams(ODD_NAMES.size(), i -> old(ODD_NAMES.get(i))));
        return all;
    }

    private static List<List<Step>> streams(int count, IntFunction<List<Step>> script) {
        return IntStream.range(0, count).mapToObj(script).toList();
    }

    /** Nearly all of it is 2 to 20 days old. */
    private List<Step> shift(String stream) {
        return script(stream, 860, (script, n) -> {
            EventBuilder draft = draft(stream, n).occurredAt(ago(2 * DAY, 20 * DAY));
            int dice = random.nextInt(100);
            if (dice < 3) {
                draft.occurredAt(ago(0, 20 * MINUTE));
            } else if (dice < 4) {
                draft.status("pending");
            } else if (dice < 5) {
                draft.ttlSeconds(Duration.ofDays(60).toSeconds());
            }
            script.send(draft);
            if (dice == 99) {
                script.later(draft.payload(payload()));
            }
        });
    }

    private List<Step> age(String stream) {
        return script(stream, 300, (script, n) -> {
            EventBuilder old = draft(stream, n).occurredAt(ago(2 * HOUR, 48 * HOUR));
            EventBuilder fresh = draft(stream, n).occurredAt(ago(0, 20 * MINUTE));
            int dice = random.nextInt(100);
            if (dice < 28) {
                script.send(old);
            } else if (dice < 50) {
                script.send(fresh);
            } else if (dice < 55) {
                script.send(old.status("pending"));
            } else if (dice < 60) {
                script.send(old.status("Running"));
                script.later(status(stream, n, "completed"));
            } else if (dice < 65) {
                script.send(fresh.status("pending"));
                script.later(status(stream, n, random.nextBoolean() ? "Completed" : ""));
            } else if (dice < 68) {
                script.send(fresh.status("read"));
                script.later(status(stream, n, "unread"));
            } else if (dice < 84) {
                ownTtl(script, dice, old, fresh);
            } else if (dice < 93) {
                repeated(script, dice, old, fresh);
            } else {
                updated(script, dice, n, old, fresh);
            }
        });
    }

    private void ownTtl(Script script, int dice, EventBuilder old, EventBuilder fresh) {
        if (dice < 71) {
            script.send(fresh.occurredAt(ago(10 * MINUTE, 20 * MINUTE)).ttlSeconds(60));
        } else if (dice < 74) {
            script.send(old.ttlSeconds(Duration.ofDays(7).toSeconds()));
        } else if (dice < 77) {
            script.send(fresh.expiresAt(startMs - 10 * MINUTE));
        } else if (dice < 80) {
            script.send(old.expiresAt(startMs + 5 * HOUR));
        } else {
            script.send((dice < 82 ? old : fresh).noExpiration());
        }
    }

    private void repeated(Script script, int dice, EventBuilder old, EventBuilder fresh) {
        if (dice < 87) {
            script.send(fresh);
            script.later(fresh.payload(payload()).metadata(Map.of("again", "yes")));
        } else if (dice < 89) {
            script.send(fresh);
            script.later(fresh);
            script.later(fresh);
        } else {
            script.send(old);
            script.later(dice < 91 ? old : fresh);
        }
    }

    /** Two of the updates are for events that no reader sees. */
    private void updated(Script script, int dice, int n, EventBuilder old, EventBuilder fresh) {
        String stream = script.stream;
        if (dice == 93) {
            script.send(old);
            script.later(status(stream, n, "pending"));
        } else if (dice == 94) {
            script.later(status(stream, n, "pending"));
        } else if (dice < 98) {
            script.send(fresh);
            script.later(update(stream, n, null, null, null, Map.of("note", "x".repeat(random.nextInt(20)))));
        } else {
            script.send(fresh.occurredAt(ago(10 * MINUTE, 20 * MINUTE)));
            OwnTtl ttl = dice == 98 ? OwnTtl.of(60L, null, false) : OwnTtl.of(null, startMs + 5 * HOUR, false);
            script.later(update(stream, n, null, null, ttl, null));
        }
    }

    private List<Step> jobs(String stream) {
        return script(stream, 150, (script, n) -> {
            EventBuilder draft = draft(stream, n).occurredAt(ago(0, 20 * DAY));
            int dice = random.nextInt(10);
            if (dice < 2) {
                script.send(draft.status("failed").completedAt(ago(2 * HOUR, DAY)));
            } else if (dice < 4) {
                script.send(draft);
            } else if (dice < 5) {
                script.send(draft.completedAt(ago(10 * MINUTE, 20 * MINUTE)).ttlSeconds(60));
            } else {
                script.send(draft.status("running"));
                if (dice < 7) {
                    script.later(status(stream, n, "completed"));
                } else if (dice < 9) {
                    script.later(update(stream, n, "cancelled", ago(2 * HOUR, DAY), null, null));
                }
            }
        });
    }

    /** Ranks from the newest on; the events come in the order of their age, more or less. */
    private List<Step> cap(String stream) {
        List<Integer> ranks = IntStream.range(0, 300)
                .boxed()
                .sorted(Comparator.comparingDouble(rank -> -rank + 15 * random.nextGaussian()))
                .toList();
        return script(stream, ranks.size(), (script, n) -> {
            int rank = ranks.get(n);
            EventBuilder draft = draft(stream, n).occurredAt(startMs - 1000 - rank * 2000L);
            if (rank % 60 == 7) {
                draft.status("pending");
            } else if (rank % 9 == 4) {
                draft.ttlSeconds(Duration.ofDays(30).toSeconds());
            }
            script.send(draft);
            if (rank < 10) {
                script.later(draft);
            }
        });
    }

    /** All of one size, so that the cap is one of a number of events, whatever is swept between them. */
    private List<Step> bytes(String stream) {
        return script(stream, 150, (script, n) -> {
            boolean isPending = n % 40 == 5;
            String id = String.format("b%05d", n);
            byte[] payload = new byte[isPending ? 93 : 100];
            random.nextBytes(payload);
            script.send(event(stream, id).status(isPending ? "pending" : null).payload(payload));
        });
    }

    private List<Step> bounded(String stream) {
        return script(stream, 60, (script, n) -> {
            boolean isLong = random.nextBoolean();
            long occurredAt = isLong && random.nextBoolean() ? ago(HOUR, DAY) : ago(0, 5 * MINUTE);
            script.send(draft(stream, n)
                    .occurredAt(occurredAt)
                    .ttlSeconds(isLong ? Duration.ofDays(7).toSeconds() : 1));
        });
    }

    /** More events that stay for ever than the cap allows, so that all others go. */
    private List<Step> keep(String stream) {
        return script(stream, 60, (script, n) -> {
            EventBuilder draft = draft(stream, n).occurredAt(ago(0, 15 * DAY));
            script.send(n % 2 == 0 ? draft.noExpiration() : draft);
        });
    }

    private List<Step> cached(String stream) {
        return script(
                stream,
                60,
                (script, n) -> script.send(
                        draft(stream, n).occurredAt(random.nextBoolean() ? ago(HOUR, DAY) : ago(0, MINUTE))));
    }

    private List<Step> old(String stream) {
        return script(
                stream,
                60,
                (script, n) -> script.send(
                        draft(stream, n).occurredAt(random.nextBoolean() ? ago(11 * DAY, 20 * DAY) : ago(0, 9 * DAY))));
    }

    /** Each of these streams is sent in another wrong way (O-21). */
    private List<Step> misrouted(String stream, int way) {
        int own = StreamPartition.of(new StreamName(stream), partitions);
        Integer elsewhere = (own + 1) % partitions;
        Route route =
                switch (way) {
                    case 0 -> new Route("wrong".getBytes(UTF_8), null);
                    case 1 -> new Route(null, elsewhere);
                    case 2 -> new Route(stream.getBytes(UTF_8), elsewhere);
                    default -> new Route("wrong".getBytes(UTF_8), own);
                };
        return old(stream).stream()
                .map(step -> new Step(stream, step.event(), step.update(), route, step.timestampMs(), null))
                .toList();
    }

    private EventBuilder draft(String stream, int n) {
        EventBuilder draft = event(stream, "e😀-" + n);
        switch (random.nextInt(8)) {
            case 0 -> draft.contentType("application/json").payload(("{\"n\":" + n + "}").getBytes(UTF_8));
            case 1 -> draft.contentType("text/plain").payload(("näme " + n).getBytes(UTF_8));
            case 2 -> draft.metadata(Map.of("origin", "test", "n", Integer.toString(n)));
            default -> draft.payload(payload());
        }
        return draft;
    }

    private byte[] payload() {
        byte[] payload = new byte[random.nextInt(120)];
        random.nextBytes(payload);
        return payload;
    }

    private long ago(long from, long to) {
        return startMs - from - (long) (random.nextDouble() * (to - from));
    }

    private static EventUpdate status(String stream, int n, String status) {
        return update(stream, n, status, null, null, null);
    }

    private static EventUpdate update(
            String stream, int n, String status, Long completedAt, OwnTtl ttl, Map<String, String> metadata) {
        return new EventUpdate(new StreamName(stream), new EventId("e😀-" + n), status, completedAt, ttl, metadata);
    }

    /** Part of a script that one turn adds. */
    private interface Turn {
        void take(Script script, int n);
    }

    private List<Step> script(String stream, int turns, Turn turn) {
        Script script = new Script(stream);
        for (int n = 0; n < turns; n++) {
            script.position = n;
            turn.take(script, n);
        }
        return script.inOrder();
    }

    /** Collects the steps of one stream; what comes later comes some turns later, but in order. */
    private final class Script {

        private final String stream;
        private final List<Map.Entry<Integer, Step>> steps = new ArrayList<>();
        private int position;

        Script(String stream) {
            this.stream = stream;
        }

        void send(EventBuilder draft) {
            add(new Step(stream, draft.build(), null, Route.of(stream), timestamp(), null));
        }

        void later(EventBuilder draft) {
            later(script -> script.send(draft));
        }

        void later(EventUpdate update) {
            later(script -> script.add(new Step(stream, null, update, Route.of(stream), timestamp(), null)));
        }

        private void later(Consumer<Script> what) {
            int now = position;
            position += 1 + random.nextInt(FOLLOW_UP_LIMIT);
            what.accept(this);
            position = now;
        }

        private void add(Step step) {
            steps.add(Map.entry(position, step));
        }

        List<Step> inOrder() {
            return steps.stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(Map.Entry::getValue)
                    .toList();
        }

        private long timestamp() {
            return startMs - random.nextInt((int) MINUTE);
        }
    }
}
