package dev.ebb.api.insight;

import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.InsightPorts;
import dev.ebb.port.forecast.DeletionHistory;
import dev.ebb.port.forecast.DeletionHistory.Deletions;
import dev.ebb.port.forecast.StreamFigures.Figures;
import dev.ebb.port.forecast.StreamFigures.Overdue;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.TimeRange;
import dev.ebb.serde.text.PolicyJson;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.history.ComplianceView;
import dev.ebb.wire.history.SweepView;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds up, for each scope, what is stored and what was deleted. Used once; ends after a fixed time, complete or not.
 */
final class ComplianceReport {

    /** Most streams with policies of their own whose deletes are read one by one. */
    private static final int MOST_OWN_SCOPES = 20;

    private static final List<Long> ALL_OF_TIME = List.of(0L, Long.MAX_VALUE);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final InsightPorts insight;
    private final PolicySet policies;
    private final Map<Scope, Row> rows = new TreeMap<>();
    private final long deadline = System.nanoTime() + PATIENCE.toNanos();
    private boolean isExact = true;

    ComplianceReport(InsightPorts insight, PolicySet policies) {
        this.insight = insight;
        this.policies = policies;
        rows.put(Scope.ALL, new Row());
        policies.policies().forEach((scope, record) -> {
            if (record.policy().isEnabled()) {
                rows.put(scope, new Row());
            }
        });
    }

    /** Adds what is stored in these partitions. */
    ComplianceReport countStreams(Collection<Integer> partitions) {
        insight.figures().visit(partitions, stream -> {
            countStream(stream);
            isExact &= !isTimeUp();
            return !isTimeUp();
        });
        return this;
    }

    /** Adds the counts of another instance. */
    ComplianceReport add(ComplianceView other) {
        isExact &= other.exact() && other.policyVersion() == policies.version();
        other.scopes().forEach(scope -> rowOf(scope.scope()).add(scope));
        return this;
    }

    /**
     * Adds the deletes of all instances: from sums of the audit where these are complete, else from the audit itself.
     */
    ComplianceReport countDeletes(TimeRange time) {
        List<Scope> ofStreams = rows.keySet().stream()
                .filter(scope -> scope.kind() == Scope.Kind.STREAM)
                .toList();
        Deletions sums = time.equals(TimeRange.ALWAYS) && ofStreams.size() <= MOST_OWN_SCOPES
                ? insight.deletions().deletions(null, ALL_OF_TIME)
                : null;
        if (sums == null || !sums.isComplete() || sums.namespaces().containsKey(DeletionHistory.OTHERS)) {
            visit(null, time, this::countDelete);
        } else {
            sums.namespaces()
                    .forEach((namespace, causes) -> causes.forEach(
                            (cause, tallies) -> rowOfNamespace(namespace).add(cause, tallies.get(0))));
            ofStreams.forEach(scope -> visit(scope.name(), time, this::moveDelete));
        }
        return this;
    }

    private void visit(@Nullable String stream, TimeRange time, Consumer<AuditRecord> counter) {
        AuditFilter filter = AuditFilter.within(time).ofStream(stream);
        isExact &= insight.audit().visit(filter, entry -> {
            counter.accept(entry);
            return !isTimeUp();
        });
    }

    /**
     * Moves a delete to the scope of its stream, which has a policy of its own; so far it counts with the namespace.
     */
    private void moveDelete(AuditRecord entry) {
        String stream = entry.stream();
        String cause = entry.cause();
        if (stream != null && cause != null) {
            Row ofNamespace = rowOfNamespace(new StreamName(stream).namespace());
            ofNamespace.add(cause, new Tally(-entry.eventIds().size(), -entry.bytes()));
            countDelete(entry);
        }
    }

    ComplianceView view(TimeRange time, Instant now, List<UnansweredView> unanswered) {
        return new ComplianceView(
                now,
                time.fromMs() == 0 ? null : Instant.ofEpochMilli(time.fromMs()),
                time.toMs() == Long.MAX_VALUE ? null : Instant.ofEpochMilli(time.toMs()),
                policies.version(),
                isExact && unanswered.isEmpty(),
                rows.entrySet().stream()
                        .map(row -> view(row.getKey(), row.getValue()))
                        .toList(),
                unanswered);
    }

    private void countStream(Figures stream) {
        Row row = rowOf(stream.stream());
        row.streams++;
        row.events += stream.events();
        Long oldest = stream.oldestBefore(row.oldestMs);
        if (oldest != null) {
            row.oldestMs = oldest;
        }
        List<Hold> holds = policies.holdsOn(stream.stream());
        holds.stream().map(Hold::caseId).forEach(row.holds::add);
        if (holds.isEmpty()) {
            Overdue overdue = stream.overdue();
            row.overdue += overdue.events();
            isExact &= overdue.isExact();
        }
    }

    private void countDelete(AuditRecord entry) {
        String stream = entry.stream();
        String cause = entry.cause();
        if (stream != null && cause != null) {
            rowOf(new StreamName(stream)).add(cause, new Tally(entry.eventIds().size(), entry.bytes()));
        }
    }

    private boolean isTimeUp() {
        return System.nanoTime() - deadline > 0;
    }

    private Row rowOf(StreamName stream) {
        Row row = rows.get(Scope.stream(stream.value()));
        return row == null ? rowOfNamespace(stream.namespace()) : row;
    }

    private Row rowOfNamespace(String namespace) {
        Row row = NameRule.problem(namespace) == null ? rows.get(Scope.namespace(namespace)) : null;
        return row == null ? Objects.requireNonNull(rows.get(Scope.ALL)) : row;
    }

    /**
     * Returns the row of a scope. A scope whose policy is not in force here, or no longer is, counts under {@code *};
     * the report is not exact then.
     */
    private Row rowOf(String scope) {
        return rows.getOrDefault(Scope.parse(scope), Objects.requireNonNull(rows.get(Scope.ALL)));
    }

    private ComplianceView.ScopeView view(Scope scope, Row row) {
        VersionedPolicy record = policies.policies().get(scope);
        boolean isRecord = record != null && record.policy().isEnabled();
        RetentionPolicy policy = isRecord
                ? Objects.requireNonNull(record).policy()
                : Objects.requireNonNull(policies.builtIn().all().get(scope));
        Map<String, SweepView.TallyView> deleted = new TreeMap<>();
        row.deleted.forEach(
                (cause, tally) -> deleted.put(cause, new SweepView.TallyView(tally.events(), tally.bytes())));
        return new ComplianceView.ScopeView(
                scope.toString(),
                isRecord ? (Long) Objects.requireNonNull(record).version() : null,
                PolicyJson.write(policy),
                row.streams,
                row.events,
                row.oldestMs == Long.MAX_VALUE ? null : Instant.ofEpochMilli(row.oldestMs),
                row.overdue,
                row.holds.stream().toList(),
                deleted);
    }

    /** The sums of one scope. */
    private static final class Row {

        private final Set<String> holds = new TreeSet<>();
        private final Map<String, Tally> deleted = new TreeMap<>();
        private long streams;
        private long events;
        private long overdue;
        private long oldestMs = Long.MAX_VALUE;

        /** Adds deletes; removes a cause whose sum falls to nothing, also if it was moved before it was counted. */
        void add(String cause, Tally tally) {
            Tally sum = deleted.getOrDefault(cause, Tally.ZERO).plus(tally.events(), tally.bytes());
            if (sum.events() <= 0) {
                deleted.remove(cause);
            } else {
                deleted.put(cause, sum);
            }
        }

        void add(ComplianceView.ScopeView other) {
            streams += other.streams();
            events += other.events();
            overdue += other.overdue();
            holds.addAll(other.holds());
            Instant oldest = other.oldest();
            if (oldest != null) {
                oldestMs = Math.min(oldestMs, oldest.toEpochMilli());
            }
        }
    }
}
