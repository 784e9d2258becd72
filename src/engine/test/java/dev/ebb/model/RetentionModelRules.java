package dev.ebb.model;

import dev.ebb.domain.event.Anchor;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

/**
 * Rules in force for one stream, as the model reads them. Limits that are not there are {@link #FOREVER}, guards that are
 * not there 0, a lower bound that is not there -1.
 *
 * @param window the text of the window; null for always
 * @param ageScope the scope that says {@code maxAge}; likewise the others
 */
public record RetentionModelRules(
        long maxAge,
        long maxCount,
        long maxBytes,
        long keepLast,
        long minAge,
        long minTtl,
        long maxTtl,
        Anchor anchor,
        boolean allowInfinite,
        boolean isEnforced,
        boolean isArchived,
        boolean isMirrored,
        long interval,
        String window,
        String ageScope,
        String countScope,
        String bytesScope) {

    public static final long FOREVER = Long.MAX_VALUE;

    /** When streams are swept. */
    public record Rhythm(long interval, String window) {

        /** Returns true if the wall clock of the zone stands within the window. */
        public boolean isOpen(long now) {
            if (window == null) {
                return true;
            }
            String[] parts = window.split("[- ]", 3);
            LocalTime start = LocalTime.parse(parts[0]);
            LocalTime end = LocalTime.parse(parts[1]);
            LocalTime time =
                    Instant.ofEpochMilli(now).atZone(ZoneId.of(parts[2])).toLocalTime();
            boolean isFromStart = time.compareTo(start) >= 0;
            boolean isToEnd = time.compareTo(end) < 0;
            return start.compareTo(end) < 0 ? isFromStart && isToEnd : isFromStart || isToEnd;
        }
    }

    public Rhythm rhythm(Long intervalForAll) {
        return new Rhythm(intervalForAll == null ? interval : intervalForAll, window);
    }

    /** When age takes an event of that anchor. */
    public long dueByAge(long anchor) {
        return plus(anchor, maxAge);
    }

    public boolean isTooYoung(long anchor, long now) {
        return minAge > 0 && now < plus(anchor, minAge);
    }

    /** Returns true if an execution of that completion is older than its age and its guard keep it (M-5). */
    public boolean isTooOld(long completedAt, long now) {
        return now > dueByAge(completedAt) && !isTooYoung(completedAt, now);
    }

    long bounded(long asked, long anchor) {
        long atLeast = minTtl < 0 ? asked : Math.max(asked, plus(anchor, minTtl));
        return Math.min(atLeast, plus(anchor, maxTtl));
    }

    /** Returns true if more may go by these rules than by others, whatever is stored (O-8). */
    boolean isLooserThan(RetentionModelRules other) {
        return isEnforced
                && (!other.isEnforced
                        || anchor != other.anchor
                        || maxAge < other.maxAge
                        || maxCount < other.maxCount
                        || maxBytes < other.maxBytes
                        || maxTtl < other.maxTtl
                        || keepLast < other.keepLast
                        || minAge < other.minAge
                        || minTtl < other.minTtl
                        || (other.allowInfinite && !allowInfinite));
    }

    /** The scopes do not count: what is said does, not who says it. */
    RetentionModelRules withoutScopes() {
        return new RetentionModelRules(
                maxAge,
                maxCount,
                maxBytes,
                keepLast,
                minAge,
                minTtl,
                maxTtl,
                anchor,
                allowInfinite,
                isEnforced,
                isArchived,
                isMirrored,
                interval,
                window,
                "",
                "",
                "");
    }

    static long plus(long time, long duration) {
        return duration == FOREVER ? FOREVER : time + duration;
    }
}
