package dev.ebb.domain.erase;

import dev.ebb.domain.time.Durations;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a topic that decide how long a record stays after a later record has replaced it. A segment is
 * deleted when its newest record is too old, so its oldest record may be older by the time for which a segment is
 * written. A broker looks for such segments every few minutes, and keeps the files of a deleted segment for a moment.
 *
 * @param cleanupPolicy {@code delete}, {@code compact} or both with a comma between them
 * @param retentionMs the time for which records are kept, milliseconds; negative for ever
 * @param segmentMs the time after which a new segment begins, milliseconds
 * @param maxCompactionLagMs the time within which a record must be compacted, milliseconds
 * @param deleteRetentionMs the time for which a record without a value is kept after its compaction, milliseconds
 * @param fileDeleteDelayMs the time for which the files of a deleted segment are kept, milliseconds
 * @param cutMs the age of the first record at which the topic is written anew and cut, milliseconds; {@link
 *     Long#MAX_VALUE} for a topic that is never cut
 */
public record TopicSettings(
        String cleanupPolicy,
        long retentionMs,
        long segmentMs,
        long maxCompactionLagMs,
        long deleteRetentionMs,
        long fileDeleteDelayMs,
        long cutMs) {

    /** Kafka's default of {@code log.retention.check.interval.ms}, which is a setting of the broker. */
    private static final long BROKER_LOOKS_MS = Duration.ofMinutes(5).toMillis();

    /** The value for no bound. */
    private static final long NEVER = Long.MAX_VALUE;

    /** Returns the settings with the given names and values of Kafka; a missing setting bounds nothing. */
    public static TopicSettings of(Map<String, String> settings) {
        return new TopicSettings(
                settings.getOrDefault("cleanup.policy", ""),
                number(settings.get("retention.ms")),
                number(settings.get("segment.ms")),
                number(settings.get("max.compaction.lag.ms")),
                number(settings.get("delete.retention.ms")),
                number(settings.getOrDefault("file.delete.delay.ms", "0")),
                NEVER);
    }

    /**
     * Returns the settings of a topic that is written anew and cut when its first record has this age. A cut removes
     * whole segments: the one in which it lies goes with the next cut.
     */
    public TopicSettings cutAfter(long ageMs) {
        return new TopicSettings(
                cleanupPolicy, retentionMs, segmentMs, maxCompactionLagMs, deleteRetentionMs, fileDeleteDelayMs, ageMs);
    }

    private static long number(@Nullable String value) {
        return value == null || value.isEmpty() ? NEVER : Long.parseLong(value);
    }

    public boolean isCompacted() {
        return cleanupPolicy.contains("compact");
    }

    private boolean isDeleted() {
        return cleanupPolicy.contains("delete");
    }

    /**
     * Returns the place for a topic where a later record without a value removes the bytes, if the topic is compacted;
     * else age alone removes them.
     *
     * @param sinceMs the time of the later record, epoch milliseconds
     */
    public RemainingPlace place(String topic, String content, long sinceMs) {
        if (cutMs != NEVER) {
            long byCut = sum(sum(sum(cutMs, cutMs), segmentMs), brokerMs());
            Long untilCut = byCut >= NEVER - sinceMs ? null : (Long) (sinceMs + byCut);
            String bound = "twice topics.max.compaction.lag (" + text(cutMs) + ") + segment.ms=" + text(segmentMs)
                    + broker() + ", once every sink has read that far";
            return new RemainingPlace(topic, content, untilCut, bound);
        }
        long byAge = byAge();
        long byKey = isCompacted() ? sum(sum(maxCompactionLagMs, deleteRetentionMs), brokerMs()) : NEVER;
        boolean isByKey = byKey <= byAge && isCompacted();
        long bound = Math.min(byAge, byKey);
        Long until = bound >= NEVER - sinceMs ? null : (Long) (sinceMs + bound);
        return new RemainingPlace(topic, content, until, isByKey ? compaction() : age());
    }

    /**
     * Returns the place for a topic where age alone removes the bytes: no later record replaces them.
     *
     * @param sinceMs the time by which the bytes were written, epoch milliseconds
     */
    public RemainingPlace placeByAge(String name, String content, long sinceMs) {
        long bound = byAge();
        Long until = bound >= NEVER - sinceMs ? null : (Long) (sinceMs + bound);
        return new RemainingPlace(name, content, until, age());
    }

    private long byAge() {
        return isDeleted() && retentionMs >= 0 ? sum(sum(retentionMs, segmentMs), brokerMs()) : NEVER;
    }

    private long brokerMs() {
        return sum(BROKER_LOOKS_MS, fileDeleteDelayMs);
    }

    private static long sum(long one, long other) {
        return one > NEVER - other ? NEVER : one + other;
    }

    private String compaction() {
        return "max.compaction.lag.ms=" + text(maxCompactionLagMs) + " + delete.retention.ms="
                + text(deleteRetentionMs) + broker()
                + ", if later records come to the partition";
    }

    private String age() {
        if (!isDeleted()) {
            return "none: cleanup.policy is without delete"
                    + (isCompacted()
                            ? ", so a record stays until its producer writes a newer one of its key, or a null value"
                            : "");
        }
        return "retention.ms=" + text(retentionMs) + " + segment.ms=" + text(segmentMs) + broker();
    }

    private String broker() {
        return " + " + Durations.format(brokerMs()) + " of the broker";
    }

    private static String text(long ms) {
        return ms < 0 || ms == NEVER ? "unlimited" : Durations.format(ms);
    }
}
