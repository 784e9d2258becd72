package dev.ebb.undo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.wire.Meaning;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deleted events of one namespace that can be brought back, and that went for one reason.
 *
 * @param commandId the command that deleted the events; null if none did
 * @param sweepId the last sweep that deleted some of the events; null if none did
 * @param change the change of policies that made the events due, as {@code ebb undo --policy} takes it; null if a
 *     command deleted them
 * @param cause cause of the deletes
 * @param scope the scope of the policy that caused the deletes; {@code command} if a command deleted the events
 * @param namespace the namespace; null for the sum of all namespaces, commands and changes that are too many to list
 *     individually
 * @param events number of events
 * @param bytes their size as counted against {@code maxBytes}
 * @param executions number of declared executions that went as well
 * @param firstDeletedAt time of the first delete
 * @param lastDeletedAt time of the last delete
 * @param firstUntil time at which the first of the events can no longer be brought back
 * @param until time from which none of the events can be brought back
 * @param missing number of the events and executions that the trash does not have any more
 */
public record TrashedView(
        @Nullable String commandId,
        @Nullable String sweepId,
        @Nullable String change,
        String cause,
        String scope,
        @Nullable String namespace,
        long events,
        long bytes,
        long executions,
        Instant firstDeletedAt,
        Instant lastDeletedAt,
        Instant firstUntil,
        Instant until,
        long missing) {

    /** Lists deletes that can be undone. */
    public static final Read<Query, Page> LIST = new Read<>(
            "/v1/trash",
            "Lists deletes that can be undone, by command or change of policies, the last deleted first.",
            Query.class,
            Page.class);

    /** Order by the last delete, the latest first. */
    public static final Comparator<TrashedView> LAST_FIRST =
            Comparator.comparing(TrashedView::lastDeletedAt).reversed().thenComparing(TrashedView::key);

    public static TrashedView of(TrashSum sum) {
        TrashSum.Reason reason = sum.reason();
        return new TrashedView(
                orNull(reason.commandId()),
                orNull(sum.sweepId()),
                orNull(reason.change()),
                reason.cause().name(),
                reason.scope(),
                sum.namespace().equals(TrashSum.OTHERS) ? null : sum.namespace(),
                sum.events(),
                sum.bytes(),
                sum.executions(),
                Instant.ofEpochMilli(sum.firstMs()),
                Instant.ofEpochMilli(sum.lastMs()),
                Instant.ofEpochMilli(sum.firstUntilMs()),
                Instant.ofEpochMilli(sum.untilMs()),
                sum.missing());
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Returns the identity of the deletes, by which they differ from all others. */
    private String key() {
        return Stream.of(commandId, change, cause, scope, namespace)
                .map(part -> Objects.requireNonNullElse(part, ""))
                .map(part -> part.length() + ":" + part)
                .reduce("", String::concat);
    }

    /** Returns the deletes of several instances, joined by reason and namespace, the last deleted first. */
    public static List<TrashedView> joined(Stream<TrashedView> parts) {
        Map<String, TrashedView> sums = new LinkedHashMap<>();
        parts.forEach(part -> sums.merge(part.key(), part, TrashedView::plus));
        List<TrashedView> views = new ArrayList<>(sums.values());
        views.sort(LAST_FIRST);
        return views;
    }

    private TrashedView plus(TrashedView other) {
        return new TrashedView(
                commandId,
                lastDeletedAt.isAfter(other.lastDeletedAt) ? sweepId : other.sweepId,
                change,
                cause,
                scope,
                namespace,
                events + other.events,
                bytes + other.bytes,
                executions + other.executions,
                firstDeletedAt.isBefore(other.firstDeletedAt) ? firstDeletedAt : other.firstDeletedAt,
                lastDeletedAt.isAfter(other.lastDeletedAt) ? lastDeletedAt : other.lastDeletedAt,
                firstUntil.isBefore(other.firstUntil) ? firstUntil : other.firstUntil,
                until.isAfter(other.until) ? until : other.until,
                missing + other.missing);
    }

    /** Returns the place of the deletes in the list, behind which the next page begins. */
    @JsonIgnore
    public String cursor() {
        return lastDeletedAt.toEpochMilli() + " " + key();
    }

    /** Returns true if these deletes stand behind that place. */
    public boolean isBehind(long lastDeletedMs, String key) {
        long ownMs = lastDeletedAt.toEpochMilli();
        return ownMs < lastDeletedMs || (ownMs == lastDeletedMs && key().compareTo(key) > 0);
    }

    /** A selection of deletes. */
    public record Query(
            @Parameter("Namespace of the events. Default: all.") @Nullable
            String namespace,

            @Parameter("Stream of the events; reads the trash of this stream. Default: all.") @Nullable
            StreamName stream,

            int limit,
            @Nullable String after) {}

    /**
     * A page of deletes, the last deleted first.
     *
     * @param next the cursor of the next page; null if this is the last one
     * @param unanswered instances whose part is missing; left out if there are none
     */
    public record Page(
            List<TrashedView> deletions,

            @Meaning("Cursor of the next page; null if this is the last one.") @Nullable
            String next,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<UnansweredView> unanswered) {}
}
