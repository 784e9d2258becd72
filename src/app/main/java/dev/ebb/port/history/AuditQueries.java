package dev.ebb.port.history;

import dev.ebb.domain.policy.change.PolicyChange;
import dev.ebb.domain.retention.AuditRecord;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the audit (O-3). Thread-safe. Every method throws {@code NotReadyException} rather than answer "not there" when
 * it could not look everywhere, and {@code BadCursorException} for a cursor that no page has returned.
 */
public interface AuditQueries {

    /**
     * Returns one page, newest first.
     *
     * @param after the cursor of the previous page; null to begin with the newest
     * @param limit the maximum number of items on a page, at least 1
     */
    HistoryPage<AuditRecord> list(AuditFilter filter, @Nullable String after, int limit);

    /** Returns the record with that id; empty if the topic does not hold it, or no longer does. */
    Optional<AuditRecord> find(String auditId);

    /**
     * Shows all matching records to the visitor, in no particular order, until it returns false. Records are not kept,
     * so any number of them is possible.
     *
     * @return true if all have been shown; false after a stop by the visitor, or if there were too many for the time
     *     limit of a query
     */
    boolean visit(AuditFilter filter, Predicate<AuditRecord> visitor);

    /**
     * Selection of records; null in a field takes every record.
     *
     * @param stream only deletes from this stream
     * @param namespace only deletes from streams of this namespace
     * @param cause only this cause, in upper case
     * @param actor only actions that this person asked for
     * @param sweep only deletes by this sweep or command
     * @param event only records that name an event with this id
     * @param policy only changes of the policy or hold of this scope, and deletes under it; with {@code @} and a
     *     version only those of that version
     * @param action only this action, in upper case; {@link #CHANGE} takes all changes of policies and holds
     * @param time only actions in this range
     */
    record AuditFilter(
            @Nullable String stream,
            @Nullable String namespace,
            @Nullable String cause,
            @Nullable String actor,
            @Nullable String sweep,
            @Nullable String event,
            @Nullable String policy,
            @Nullable String action,
            TimeRange time)
            implements Predicate<AuditRecord> {

        /** Stands for every change of a policy or hold. */
        public static final String CHANGE = "CHANGE";

        private static final Set<String> CHANGES = Stream.of(PolicyChange.Action.values())
                .map(PolicyChange.Action::name)
                .collect(Collectors.toCollection(TreeSet::new));

        /** Returns a selection of every record of that time. */
        public static AuditFilter within(TimeRange time) {
            return new AuditFilter(null, null, null, null, null, null, null, null, time);
        }

        /** Returns this selection, limited to deletes from a stream; from all streams if it is null. */
        public AuditFilter ofStream(@Nullable String name) {
            return new AuditFilter(name, namespace, cause, actor, sweep, event, policy, action, time);
        }

        /** Returns this selection, limited to deletes by a sweep or command; by all if it is null. */
        public AuditFilter ofSweep(@Nullable String id) {
            return new AuditFilter(stream, namespace, cause, actor, id, event, policy, action, time);
        }

        @Override
        public boolean test(AuditRecord entry) {
            return time.contains(entry.atMs())
                    && (stream == null || stream.equals(entry.stream()))
                    && (namespace == null || namespace.equals(namespaceOf(entry)))
                    && (cause == null || cause.equals(entry.cause()))
                    && (actor == null || actor.equals(entry.actor()))
                    && (sweep == null || entry.isOf(sweep))
                    && (event == null || entry.eventIds().contains(event))
                    && (policy == null || isOf(entry, policy))
                    && (action == null || is(entry, action));
        }

        private static boolean is(AuditRecord entry, String action) {
            return action.equals(CHANGE) ? CHANGES.contains(entry.action()) : action.equals(entry.action());
        }

        private static boolean isOf(AuditRecord entry, String policy) {
            return policy.equals(entry.scope()) || policy.equals(entry.scope() + "@" + entry.policyVersion());
        }

        private static @Nullable String namespaceOf(AuditRecord entry) {
            String name = entry.stream();
            return name == null ? null : new dev.ebb.domain.event.StreamName(name).namespace();
        }
    }
}
