package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.KafkaProblem;
import dev.ebb.store.rocks.CommittedOffsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts the logs of the events behind their snapshots, once every sink has read that far, and tells the stores where
 * their logs begin. Nothing but this removes a record from a log of events. A cut is final: it takes the only copy of
 * what the stores no longer hold. To be called by one thread at a time, about each half minute.
 */
public final class LogTruncation implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(LogTruncation.class);

    private final Admin admin;
    private final CommittedOffsets offsets;
    private final String log;
    private final Duration maxAge;
    private final Clock clock;
    private final Function<Set<TopicPartition>, Map<TopicPartition, Long>> readBySinks;
    private boolean hasFailed;

    /**
     * @param log the name of the topic
     * @param maxAge the age of its first record at which a log is made shorter however short it is
     * @param clock of the broker, which dates the records
     * @param readBySinks gives the offset before which all sinks have read a log; a partition without one is not cut
     */
    public LogTruncation(
            Admin admin,
            CommittedOffsets offsets,
            String log,
            Duration maxAge,
            Clock clock,
            Function<Set<TopicPartition>, Map<TopicPartition, Long>> readBySinks) {
        this.admin = admin;
        this.offsets = offsets;
        this.log = log;
        this.maxAge = maxAge;
        this.clock = clock;
        this.readBySinks = readBySinks;
    }

    @Override
    public void run() {
        Set<TopicPartition> logs = offsets.changelogs().stream()
                .filter(changelog -> changelog.topic().equals(log))
                .collect(Collectors.toSet());
        if (logs.isEmpty()) {
            return;
        }
        try {
            look(logs);
            hasFailed = false;
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            if (!hasFailed) {
                hasFailed = true;
                LOG.atWarn()
                        .addKeyValue("topic", log)
                        .addKeyValue("problem", KafkaProblem.text(e))
                        .log("the log of the events is not made shorter for now");
            }
        }
    }

    private void look(Set<TopicPartition> logs) {
        Map<TopicPartition, Long> begins = list(logs, OffsetSpec.earliest());
        Map<TopicPartition, Long> ends = list(logs, OffsetSpec.latest());
        begins.putAll(cut(begins));
        Map<TopicPartition, Long> young = list(logs, OffsetSpec.forTimestamp(clock.millis() - maxAge.toMillis()));
        begins.forEach((partition, begin) -> {
            offsets.restoredTo(partition, ends.getOrDefault(partition, 0L) - 1);
            offsets.beginsAt(
                    partition,
                    begin,
                    isOld(begin, ends.getOrDefault(partition, begin), young.getOrDefault(partition, begin)));
        });
    }

    /** @param young the offset of the first record that is not too old; negative if there is none */
    private static boolean isOld(long begin, long end, long young) {
        return young < 0 ? end > begin : young > begin;
    }

    /** Cuts the logs that are covered; returns their new beginnings. */
    private Map<TopicPartition, Long> cut(Map<TopicPartition, Long> begins) {
        Map<TopicPartition, Long> covered = new HashMap<>();
        begins.forEach((partition, begin) -> {
            long before = offsets.coveredBefore(partition);
            if (before > begin) {
                covered.put(partition, before);
            }
        });
        if (covered.isEmpty()) {
            return Map.of();
        }
        Map<TopicPartition, Long> read = readBySinks.apply(covered.keySet());
        covered.entrySet().removeIf(cut -> read.getOrDefault(cut.getKey(), 0L) < cut.getValue());
        Map<TopicPartition, RecordsToDelete> cuts = new HashMap<>();
        covered.forEach((partition, before) -> cuts.put(partition, RecordsToDelete.beforeOffset(before)));
        if (!cuts.isEmpty()) {
            Answers.of(admin.deleteRecords(cuts).all());
            Map<Integer, Long> told = new TreeMap<>();
            covered.forEach((partition, before) -> told.put(partition.partition(), before));
            LOG.atInfo().addKeyValue("topic", log).addKeyValue("before", told).log("the log is cut behind a snapshot");
        }
        return covered;
    }

    private Map<TopicPartition, Long> list(Set<TopicPartition> logs, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> asked =
                logs.stream().collect(Collectors.toMap(Function.identity(), partition -> spec));
        Map<TopicPartition, ListOffsetsResultInfo> answer =
                Answers.of(admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                        .all());
        Map<TopicPartition, Long> offsetsByLog = new HashMap<>();
        answer.forEach((partition, info) -> offsetsByLog.put(partition, info.offset()));
        return offsetsByLog;
    }
}
