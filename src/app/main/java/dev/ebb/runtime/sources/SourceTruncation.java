package dev.ebb.runtime.sources;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.source.Source;
import dev.ebb.port.SourceDesk;
import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.KafkaProblem;
import dev.ebb.topology.source.SourceMark;
import dev.ebb.topology.source.SourceStarts;
import dev.ebb.topology.wire.ErrandBodies.FirstHeld;
import dev.ebb.topology.wire.ErrandBodies.LogRaised;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises the starts of a log to its oldest records that must stay (F-8). It asks all partitions of the events with a mark
 * behind the events of all records that have been read, and acts when all have answered. Only the instance of the policy
 * gate does so. A start that has moved never moves back. Not thread-safe.
 */
final class SourceTruncation {

    private static final Logger LOG = LoggerFactory.getLogger(SourceTruncation.class);

    private final SourceStarts starts;
    private final SourceMarks marks;
    private final Supplier<PolicySet> policies;
    private final Admin admin;
    private final long everyNs;
    private final long keepMs;
    private boolean isAsked;
    private long askedNs;
    private List<SourceDesk.Start> seen = List.of();
    private List<LogRaised> told = List.of();
    private @Nullable String problem;

    SourceTruncation(
            EbbConfig config, SourceStarts starts, SourceMarks marks, Supplier<PolicySet> policies, Admin admin) {
        this.starts = starts;
        this.marks = marks;
        this.policies = policies;
        this.admin = admin;
        this.everyNs = config.get(Settings.SOURCES_TRUNCATE_INTERVAL).toNanos();
        this.keepMs = config.get(Settings.TOPICS_REJECTED_RETENTION).toMillis();
    }

    /**
     * Asks or acts, if it is time.
     *
     * @param read the offsets before which the source has read its topic, and has committed it
     */
    void look(Source source, String topicId, Map<TopicPartition, Long> read, SourceOffsets offsets) {
        try {
            lookAt(source, topicId, read, offsets);
        } catch (KafkaException e) {
            isAsked = false;
            problem = "the start of topic " + source.topic() + " stays where it is: Kafka "
                    + (KafkaProblem.isRefusal(e)
                            ? KafkaProblem.refusal(e)
                            : "was asked in vain: " + KafkaProblem.text(e));
        }
    }

    private void lookAt(Source source, String topicId, Map<TopicPartition, Long> read, SourceOffsets offsets) {
        if (starts.partitions() == 0) {
            forget(source);
            return;
        }
        Map<Integer, FirstHeld> held = isAsked ? starts.answer(source.name()) : null;
        long nowNs = System.nanoTime();
        if (held != null) {
            starts.forget(source.name());
            isAsked = false;
            raise(source, held, offsets.list(OffsetSpec.earliest()), offsets.ends());
            problem = null;
        } else if (askedNs == 0 || nowNs - askedNs >= everyNs) {
            askedNs = nowNs;
            ask(source, topicId, read);
        }
    }

    /** Forgets all: the source is not read now, or is another one. */
    void forget(Source source) {
        if (isAsked || !seen.isEmpty() || askedNs != 0) {
            starts.forget(source.name());
            isAsked = false;
            askedNs = 0;
            seen = List.of();
            problem = null;
        }
    }

    /** Returns the reason why the starts stay where they are although records could go; null if there is none. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Returns the starts as they were at the last look; empty if another instance looks, or none has yet. */
    List<SourceDesk.Start> seen() {
        return seen;
    }

    private void ask(Source source, String topicId, Map<TopicPartition, Long> read) {
        Map<Integer, Long> offsets = new HashMap<>();
        read.forEach((partition, offset) -> offsets.put(partition.partition(), offset));
        String id = "log-" + UUID.randomUUID();
        starts.ask(source.name(), id);
        isAsked = true;
        marks.send(new SourceMark(SourceMark.Step.ASK, id, source.name(), topicId, offsets, keepMs));
    }

    private void raise(
            Source source,
            Map<Integer, FirstHeld> held,
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends) {
        String namespace = source.namespace();
        boolean isEnforced =
                namespace == null || policies.get().effectiveIn(namespace).isEnforced();
        List<LogRaised> raises = new ArrayList<>();
        Map<Integer, SourceDesk.Start> looked = new TreeMap<>();
        begins.forEach((partition, begin) -> {
            int number = partition.partition();
            FirstHeld first = held.get(number);
            long next = first == null ? begin : Math.max(begin, first.offset());
            String why = why(first, next, ends.getOrDefault(partition, Long.MAX_VALUE));
            if (next > begin && isEnforced) {
                raises.add(new LogRaised(source.name(), source.topic(), number, begin, next, why));
            }
            looked.put(number, new SourceDesk.Start(number, begin, next, why));
        });
        seen = List.copyOf(looked.values());
        if (!raises.isEmpty()) {
            // First the audit: a crash in between leaves a record of what is about to be done, and then is.
            if (!raises.equals(told)) {
                marks.tell(raises);
                told = List.copyOf(raises);
            }
            cut(raises);
            raises.forEach(raise -> looked.computeIfPresent(raise.partition(), (number, start) -> start.raised()));
            seen = List.copyOf(looked.values());
        }
    }

    /** Returns what stays at the offset, for people; at the end of the partition there is nothing. */
    static String why(@Nullable FirstHeld first, long next, long end) {
        if (next >= end) {
            return "no record yet";
        }
        return first == null ? "not read yet" : first.why();
    }

    private void cut(List<LogRaised> raises) {
        Map<TopicPartition, RecordsToDelete> cuts = new HashMap<>();
        raises.forEach(raise -> cuts.put(
                new TopicPartition(raise.topic(), raise.partition()), RecordsToDelete.beforeOffset(raise.to())));
        Answers.of(admin.deleteRecords(cuts).all());
        raises.forEach(raise -> LOG.atInfo()
                .addKeyValue("source", raise.source())
                .addKeyValue("raise", raise.text())
                .log("the start of a log has moved"));
    }
}
