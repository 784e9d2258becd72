package dev.ebb.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.model.RetentionModel;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.serde.records.AvroRecords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Some 20 000 records of 60 streams, the same for a seed but for the time they count from, in two halves. The fate of
 * each does not depend on the times of sweeps: ages are far from every limit, and caps meet only what no later record
 * changes. The model is played along.
 */
final class Load {

    private final Random random;
    private final AvroRecords records;
    private final String topic;
    private final long startMs;
    private final RetentionModel model = new RetentionModel();
    private final Map<String, List<String>> removed = new TreeMap<>();
    private final Map<RejectReason, Long> rejected = new EnumMap<>(RejectReason.class);
    private final List<ProducerRecord<byte[], byte[]>> firstHalf;
    private final List<ProducerRecord<byte[], byte[]>> secondHalf;

    /** @param partitions of the topic of events */
    Load(long seed, long startMs, AvroRecords records, String topic, int partitions) {
        this.random = new Random(seed);
        this.records = records;
        this.topic = topic;
        this.startMs = startMs;
        LoadPolicies.all().forEach(model::policy);
        LoadStreams streams = new LoadStreams(random, startMs, partitions);
        List<List<Step>> before = new ArrayList<>(streams.shifted());
        List<List<Step>> after = new ArrayList<>();
        for (List<Step> steps : streams.others()) {
            before.add(steps.subList(0, steps.size() / 2));
            after.add(steps.subList(steps.size() / 2, steps.size()));
        }
        before.add(garbage("age/0"));
        after.add(garbage("age/1"));
        firstHalf = merge(before);
        secondHalf = merge(after);
    }

    /** One record, and what it means. */
    record Step(String stream, Event event, EventUpdate update, Route route, long timestampMs, byte[] rejected) {}

    /**
     * Way in which a record is sent: with which key, and to which partition; null for the one that follows from the
     * key.
     */
    record Route(byte[] key, Integer partition) {

        static Route of(String stream) {
            return new Route(stream.getBytes(UTF_8), null);
        }
    }

    List<ProducerRecord<byte[], byte[]>> firstHalf() {
        return firstHalf;
    }

    List<ProducerRecord<byte[], byte[]>> secondHalf() {
        return secondHalf;
    }

    /** Contents of the model when both halves are in, before its sweep. */
    RetentionModel model() {
        return model;
    }

    /** Number of records that must be rejected, by reason. */
    Map<RejectReason, Long> rejected() {
        return rejected;
    }

    /** Events that must have been deleted once the model has been swept at the end, as {@code cause stream|id}. */
    List<String> expectedDeletions(Map<String, List<String>> swept) {
        List<String> all = new ArrayList<>();
        for (Map<String, List<String>> some : List.of(removed, swept)) {
            some.forEach((cause, keys) -> keys.forEach(key -> all.add(cause + " " + key)));
        }
        return all;
    }

    private List<Step> garbage(String stream) {
        List<Step> steps = new ArrayList<>();
        new Garbage(records).of(stream, startMs).forEach(entry -> {
            rejected.merge(entry.getKey(), 1L, Long::sum);
            steps.add(new Step(stream, null, null, Route.of(stream), startMs, entry.getValue()));
        });
        return steps;
    }

    /** Any order between the streams, the given one within each. */
    private List<ProducerRecord<byte[], byte[]>> merge(List<List<Step>> streams) {
        List<Integer> turns = new ArrayList<>();
        for (int i = 0; i < streams.size(); i++) {
            for (int n = 0; n < streams.get(i).size(); n++) {
                turns.add(i);
            }
        }
        Collections.shuffle(turns, random);
        Map<Integer, Integer> positions = new HashMap<>();
        List<ProducerRecord<byte[], byte[]>> merged = new ArrayList<>();
        for (int turn : turns) {
            merged.add(play(streams.get(turn).get(positions.merge(turn, 1, Integer::sum) - 1)));
        }
        return merged;
    }

    private ProducerRecord<byte[], byte[]> play(Step step) {
        byte[] value = step.rejected();
        if (step.event() != null) {
            noteDisplaced(step.event());
            model.event(step.event(), step.timestampMs(), startMs);
            value = records.event(step.event());
        } else if (step.update() != null) {
            model.update(step.update(), step.timestampMs(), startMs);
            value = records.update(step.update());
        }
        return new ProducerRecord<>(
                topic,
                step.route().partition(),
                step.timestampMs(),
                step.route().key(),
                value);
    }

    /** An event that is due when another of its id comes is gone by its own cause, before any sweep or by one (M-1). */
    private void noteDisplaced(Event event) {
        RetentionModelStream stream = model.streams().get(event.stream().value());
        Kept old = stream == null ? null : stream.events.get(event.id().value());
        if (old != null && model.isDue(old, startMs)) {
            removed.computeIfAbsent(old.ttl.isFinite() ? "TTL" : "MAX_AGE", cause -> new ArrayList<>())
                    .add(old.stream + "|" + old.id);
        }
    }
}
