package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.model.RetentionModel;
import dev.ebb.model.RetentionModel.Removal;
import dev.ebb.model.RetentionModelRules;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.store.StoreCheck;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;

/** Holds what the topology has stored and sent against the model (I-2 to I-5, M-17). */
final class RetentionPlayCheck {

    private final RetentionPlay play;
    private final TopologyFixture fixture;
    private final RetentionModel model;
    private final List<RejectReason> rejected = new ArrayList<>();
    private int auditsSeen;
    private int archivedSeen;
    private int mirrorSeen;

    /** Keys of the rows that readers have: an event that comes and goes between two commits has none. */
    private final Set<Bytes> rowsSeen = new HashSet<>();

    private int removalsSeen;

    RetentionPlayCheck(RetentionPlay play) {
        this.play = play;
        this.fixture = play.fixture;
        this.model = play.model;
    }

    /** From now on a record must be on the topic of rejected ones for that reason. */
    void rejected(RejectReason reason) {
        rejected.add(reason);
    }

    /** A scheduled report of what was not deleted because the policy only warns (M-16). */
    void warned(SweepReport report) {
        Map<String, long[]> sums = new TreeMap<>();
        model.warnedOf(stream -> !play.input().waits(stream.name), report.sweepPointMs())
                .forEach((key, tally) -> {
                    long[] sum = sums.computeIfAbsent(key.substring(key.indexOf(' ') + 1), cause -> new long[2]);
                    sum[0] += tally[0];
                    sum[1] += tally[1];
                });
        Map<String, String> expected = new TreeMap<>();
        sums.forEach((cause, sum) -> expected.put(cause, sum[0] + " events, " + sum[1] + " bytes"));
        Map<String, String> found = new TreeMap<>();
        report.wouldDelete()
                .forEach((cause, tally) -> found.put(cause, tally.events() + " events, " + tally.bytes() + " bytes"));
        assertThat(found).as("M-16 report " + report).isEqualTo(expected);
    }

    /** A sweep that ended while others waited, or met events that came late: its audit records name what it took. */
    void sweptPart(SweepReport report) {
        Set<String> taken = fixture.audits.stream()
                .filter(audit -> report.sweepId().equals(audit.sweepId()))
                .flatMap(audit -> audit.eventIds().stream().map(id -> audit.stream() + "|" + id))
                .collect(Collectors.toSet());
        assertThat(report.deleted().values().stream()
                        .mapToLong(SweepReport.Tally::events)
                        .sum())
                .as("O-4 report of the sweep at " + report.sweepPointMs())
                .isEqualTo(taken.size());
        Set<String> wrong = model.sweepPart(
                report.sweepPointMs(),
                report.sweepId(),
                taken,
                (stream, number) -> !fixture.executionRows.containsKey(
                        Bytes.wrap(fixture.rows.executionKey(new StreamName(stream), number))));
        assertThat(wrong)
                .as("I-2 taken by the sweep at " + report.sweepPointMs() + " and not due")
                .isEmpty();
    }

    void compare() {
        List<StoredEvent> stored = fixture.stored();
        assertThat(describe(stored)).as("I-4 events").isEqualTo(describeModel());
        compareUsage();
        compareVisible();
        compareMirror(stored);
        compareExecutions();
        compareRemovals();
        assertThat(fixture.deletes.goOn()).as("T-8 tree of the deletes").isNull();
        assertThat(fixture.changes.goOn()).as("T-8 tree of the changes").isNull();
        assertThat(fixture.observer.rejected.stream().sorted().toList())
                .as("O-20 rejected")
                .isEqualTo(rejected.stream().sorted().toList());
        assertThat(fixture.rejected).hasSameSizeAs(rejected);
        Map<String, Set<Long>> waiting =
                StoreCheck.waitingEnds(fixture.rawUsage().all());
        waiting.keySet().removeIf(name -> !model.stands(name, play.now()));
        assertThat(waiting).as("O-10 waiting ends").isEqualTo(model.waitingEnds(play.now()));
        assertThat(fixture.observer.orphaned).as("M-2 orphaned").isEqualTo(model.orphaned);
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .as("I-3 store")
                .isEmpty();
    }

    private void compareUsage() {
        List<StreamUsage> expected =
                model.streams().values().stream().map(this::usage).toList();
        List<StreamUsage> actual = fixture.reader().streams(null, "", null, 1000);
        assertThat(actual).as("I-3 usage").containsExactlyInAnyOrderElementsOf(expected);
    }

    private StreamUsage usage(RetentionModelStream stream) {
        RetentionModelRules rules = model.policies().rules(stream.name);
        List<Kept> unpinned =
                stream.events.values().stream().filter(kept -> !kept.isPinned).toList();
        LongSummaryStatistics anchors = unpinned.stream()
                .filter(kept -> !stream.isProtected(kept))
                .mapToLong(kept -> stream.anchor(kept, rules))
                .summaryStatistics();
        boolean isEmpty = anchors.getCount() == 0;
        return new StreamUsage(
                new StreamName(stream.name),
                stream.events.size(),
                stream.size(),
                stream.protectedEvents(),
                unpinned.stream()
                        .filter(kept -> kept.ttl.noExpiration() && rules.allowInfinite())
                        .count(),
                unpinned.stream().filter(kept -> kept.ttl.isFinite()).count(),
                isEmpty ? null : anchors.getMin(),
                isEmpty ? null : anchors.getMax(),
                0,
                null,
                null);
    }

    private void compareVisible() {
        for (RetentionModelStream stream : model.streams().values()) {
            List<String> expected = stream.events.values().stream()
                    .filter(kept -> !model.isHidden(kept, fixture.nowMs()))
                    .map(kept -> kept.id)
                    .sorted()
                    .toList();
            assertThat(fixture.visibleIds(stream.name).stream().sorted().toList())
                    .as("M-17 visible in " + stream.name)
                    .isEqualTo(expected);
        }
    }

    private void compareMirror(List<StoredEvent> events) {
        List<StoredEvent> mirrored = events.stream()
                .filter(stored ->
                        model.policies().rules(stored.event().stream().value()).isMirrored())
                .toList();
        assertThat(fixture.mirror).as("I-4 mirror, F-13").hasSameSizeAs(mirrored);
        for (StoredEvent stored : mirrored) {
            Event event = stored.event();
            byte[] key = fixture.rows.eventKey(
                    stored.storedAt(), event.stream().value(), event.id().value());
            assertThat(fixture.mirror.get(Bytes.wrap(key)))
                    .as("row of " + stored)
                    .isEqualTo(fixture.rows.eventRow(stored));
        }
    }

    private void compareExecutions() {
        Map<Bytes, String> expected = new TreeMap<>();
        for (RetentionModelStream stream : model.streams().values()) {
            for (Declared one : stream.declared.values()) {
                StreamName name = new StreamName(stream.name);
                Execution execution =
                        new Execution(one.number, one.status, one.isTerminal, one.startedAt, one.completedAt);
                StreamName parent = one.parent == null ? null : new StreamName(one.parent);
                expected.put(
                        Bytes.wrap(fixture.rows.executionKey(name, one.number)),
                        text(fixture.rows.executionRow(name, execution, parent)));
            }
        }
        Map<Bytes, String> actual = new TreeMap<>();
        fixture.executionRows.forEach((key, row) -> actual.put(key, text(row)));
        assertThat(actual).as("I-4 rows of executions").isEqualTo(expected);
    }

    private static String text(byte[] row) {
        return new String(row, StandardCharsets.UTF_8);
    }

    /**
     * Each event that has gone since has its one audit record, its one tombstone unless it never had a row, and its
     * copy if
     * the policy wants one.
     */
    private void compareRemovals() {
        List<Removal> removals = model.removals.subList(removalsSeen, model.removals.size());
        removalsSeen = model.removals.size();
        List<AuditRecord> audits = fixture.audits.subList(auditsSeen, fixture.audits.size());
        auditsSeen = fixture.audits.size();
        List<ArchivedEvent> archived = fixture.archived.subList(archivedSeen, fixture.archived.size());
        archivedSeen = fixture.archived.size();
        assertThat(audits.stream()
                        .flatMap(audit -> lines(audit).stream())
                        .sorted()
                        .toList())
                .as("I-5 audit")
                .isEqualTo(
                        removals.stream().map(RetentionPlayCheck::line).sorted().toList());
        assertThat(audits.stream().mapToLong(AuditRecord::bytes).sum())
                .as("I-5 bytes of the audit")
                .isEqualTo(
                        removals.stream().mapToLong(gone -> gone.event().size).sum());
        assertThat(archived.stream()
                        .map(copy -> copy.cause() + " " + describe(copy.event()))
                        .sorted()
                        .toList())
                .as("O-3 archive")
                .isEqualTo(removals.stream()
                        .filter(Removal::isArchived)
                        .map(gone -> gone.cause() + " " + describe(gone.event()))
                        .sorted()
                        .toList());
        compareTombstones(removals);
        if (play.plan.hasNoBatches()) {
            assertThat(order(audits.stream().flatMap(audit -> lines(audit).stream())))
                    .as("M-14 order of deletion")
                    .isEqualTo(order(removals.stream().map(RetentionPlayCheck::line)));
        }
    }

    /** Events taken by scheduled sweeps, stream by stream in their order. */
    private static Map<String, List<String>> order(Stream<String> lines) {
        return lines.filter(line -> line.contains(" by sweep-"))
                .collect(Collectors.groupingBy(
                        line -> line.substring(0, line.indexOf('|')), TreeMap::new, Collectors.toList()));
    }

    private void compareTombstones(List<Removal> removals) {
        List<Bytes> gone = removals.stream()
                .map(Removal::event)
                .map(kept -> Bytes.wrap(fixture.rows.eventKey(kept.storedAt, kept.stream, kept.id)))
                .toList();
        List<Bytes> mustGo = gone.stream().filter(rowsSeen::contains).toList();
        List<Bytes> sent = new ArrayList<>();
        for (; mirrorSeen < fixture.mirrorLog.size(); mirrorSeen++) {
            Bytes key = Bytes.wrap(fixture.mirrorLog.get(mirrorSeen).key());
            if (fixture.mirrorLog.get(mirrorSeen).value() != null) {
                rowsSeen.add(key);
            } else if (fixture.mirrorLog.get(mirrorSeen).headers().lastHeader("ebb-cause") == null) {
                // The row alone goes (F-13).
                rowsSeen.remove(key);
            } else {
                rowsSeen.remove(key);
                sent.add(key);
            }
        }
        assertThat(sent).as("I-2 tombstones").containsAll(mustGo);
        assertThat(gone).as("I-2 what may have tombstones").containsAll(sent).hasSizeGreaterThanOrEqualTo(sent.size());
    }

    private static List<String> lines(AuditRecord audit) {
        String sweep = audit.sweepId();
        String command = audit.commandId();
        String origin = sweep != null ? sweep : command != null ? command : RetentionModel.REPLACED;
        return audit.eventIds().stream()
                .map(id -> line(origin, audit.cause(), audit.scope(), audit.stream() + "|" + id))
                .toList();
    }

    private static String line(Removal gone) {
        return line(gone.origin(), gone.cause(), gone.scope(), gone.event().stream + "|" + gone.event().id);
    }

    private static String line(String origin, String cause, String scope, String event) {
        return event + " by " + origin + " for " + cause + " of " + scope;
    }

    private Map<String, String> describeModel() {
        Map<String, String> all = new TreeMap<>();
        for (RetentionModelStream stream : model.streams().values()) {
            stream.events.values().forEach(kept -> all.put(kept.stream + "|" + kept.id, describe(kept)));
        }
        return all;
    }

    private static Map<String, String> describe(List<StoredEvent> events) {
        Map<String, String> all = new TreeMap<>();
        events.forEach(
                stored -> all.put(stored.event().stream() + "|" + stored.event().id(), describe(stored)));
        return all;
    }

    private static String describe(Kept kept) {
        return kept.id + " of " + kept.execution + " " + kept.status + " " + kept.storedAt + " " + kept.occurredAt + " "
                + kept.completedAt + " " + kept.ttl + " " + new TreeMap<>(kept.metadata) + " " + kept.payload.length;
    }

    private static String describe(StoredEvent stored) {
        Event event = stored.event();
        return event.id() + " of " + event.execution() + " " + event.status() + " " + stored.storedAt() + " "
                + event.occurredAt() + " " + event.completedAt() + " " + event.ttl() + " "
                + new TreeMap<>(event.metadata()) + " " + event.payload().length;
    }
}
