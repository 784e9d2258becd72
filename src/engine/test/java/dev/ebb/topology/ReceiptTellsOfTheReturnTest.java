package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.undo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.undo.UndoFilter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the audit says of a delete that can be undone, of its return, and of the end of a command. */
@Tag("T-17")
class ReceiptTellsOfTheReturnTest {

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldNameTheCommandWhoseDeletesCameBack() {
        // given
        for (int i = 0; i < 3; i++) {
            fixture.event(event("orders/1", "e" + i));
        }

        // when
        fixture.carryOut(request("c-1", deleteForced("orders/1")));
        fixture.emptyOut();
        fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(fixture.audits).hasSize(1).allSatisfy(audit -> {
            assertThat(audit.undoUntilMs()).isEqualTo(audit.atMs() + DAY_MS);
            assertThat(audit.undoes()).isNull();
        });
        assertThat(fixture.restores).hasSize(1).allSatisfy(audit -> {
            assertThat(audit.undoes()).isEqualTo("c-1");
            assertThat(audit.undoUntilMs()).isNull();
            assertThat(audit.isOf("c-1")).isTrue();
            assertThat(audit.isOf("u-1")).isTrue();
        });
    }

    @Test
    void shouldNameEachSweepWhoseDeletesCameBack() {
        // given two sweeps of one stream by a new policy
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5000)).build());
        for (int i = 0; i < 2; i++) {
            fixture.event(event("orders/1", "e" + i));
            fixture.advance(6000);
        }
        List<String> sweeps =
                fixture.audits.stream().map(AuditRecord::sweepId).distinct().toList();
        assertThat(sweeps).hasSize(2);

        // when
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10 * DAY_MS)).build());
        UndoFilter all = new UndoFilter(null, null, null, null, 31_536_000_000L, null, null, null);
        fixture.carryOut(request("u-1", new Command.UndoDeletes(all, null)));

        // then
        assertThat(fixture.restores).extracting(AuditRecord::undoes).containsExactlyElementsOf(sweeps);
    }

    /** Without it nobody could tell whether a record is left out of a receipt. */
    @Test
    void shouldSayAtItsEndHowManyEventsACommandTook() {
        // given
        for (int i = 0; i < 2500; i++) {
            fixture.event(event("orders/1", "e" + i));
        }

        // when
        fixture.carryOut(dryRun("d-1", deleteForced("orders/1")));
        fixture.carryOut(request("c-1", deleteForced("orders/1")));
        fixture.carryOut(request("c-2", deleteForced("orders/2")));
        fixture.emptyOut();
        fixture.carryOut(dryRun("d-2", undo("c-1")));
        fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(fixture.ends).extracting(AuditRecord::commandId).containsExactly("c-1", "u-1");
        for (AuditRecord end : fixture.ends) {
            long named = fixture.audits.stream()
                    .filter(audit -> audit.isOf("c-1"))
                    .mapToLong(this::ids)
                    .sum();
            assertThat(end.total()).isEqualTo(2500).isEqualTo(named);
            assertThat(end.actor()).isEqualTo("anna");
            assertThat(end.stream()).isNull();
        }
    }

    /** An erasure has an account even where it found copies alone, and a repair has rows: both are seen to be whole. */
    @Test
    void shouldSayAtItsEndThatACommandTookNoEvent() {
        // given
        fixture.event(event("orders/1", "e"));
        EventCondition nobody = EventCondition.parse("metadata.user=42");
        List<RowKey> rows = List.of(new RowKey("2026-01-01T00:00:00Z", "x"));
        Command repair = new Command.RepairMirror(new StreamName("orders/1"), rows, List.of());

        // when
        fixture.carryOut(request("c-1", new Command.EraseEvents(List.of(nobody), null, "case", false)));
        fixture.carryOut(request("c-2", repair));
        fixture.carryOut(dryRun("c-3", repair));

        // then
        assertThat(fixture.ends).extracting(AuditRecord::commandId).containsExactly("c-1", "c-2");
        assertThat(fixture.ends).extracting(AuditRecord::total).containsExactly(0L, 0L);
    }

    /** An id may be used again in another partition, or in this one after its result is forgotten. */
    @Test
    void shouldTellACommandFromAnotherOneOfItsId() {
        // given a command and its undo, and another command of its id
        for (int i = 0; i < 3; i++) {
            fixture.event(event("orders/1", "e" + i));
            fixture.event(event("orders/2", "e" + i));
        }
        fixture.carryOut(request("c-1", deleteForced("orders/1")));
        fixture.emptyOut();
        fixture.carryOut(request("u-1", undo("c-1")));
        fixture.advance(9 * DAY_MS);
        fixture.results.clear();
        fixture.carryOut(request("c-1", deleteForced("orders/2")));
        fixture.emptyOut();

        // then all records of a command have its place on the topic, and no others
        List<String> places =
                fixture.ends.stream().map(AuditRecord::commandRecord).toList();
        assertThat(fixture.ends).extracting(AuditRecord::commandId).containsExactly("c-1", "u-1", "c-1");
        assertThat(places).doesNotHaveDuplicates().allMatch(place -> place.matches("0/[0-9]+"));
        assertThat(fixture.audits)
                .extracting(AuditRecord::stream, AuditRecord::commandRecord)
                .containsExactly(tuple("orders/1", places.get(0)), tuple("orders/2", places.get(2)));
        assertThat(fixture.restores)
                .extracting(AuditRecord::stream, AuditRecord::commandRecord)
                .containsExactly(tuple("orders/1", places.get(1)));
        assertThat(fixture.ends).extracting(AuditRecord::undoes).containsExactly(null, "c-1", null);
        assertThat(fixture.ends).extracting(AuditRecord::auditId).doesNotHaveDuplicates();
    }

    /** SQL has a row for each account, under the id of its record. */
    @Test
    void shouldTellAnErasureFromAnotherOneOfItsId() {
        // given
        EventCondition nobody = EventCondition.parse("metadata.user=42");
        Command erase = new Command.EraseEvents(List.of(nobody), null, "case", false);
        fixture.carryOut(request("c-1", erase));
        fixture.advance(9 * DAY_MS);
        fixture.results.clear();

        // when
        fixture.carryOut(request("c-1", erase));

        // then
        assertThat(fixture.ends).hasSize(2);
        assertThat(fixture.erasures).hasSize(2).extracting(AuditRecord::auditId).doesNotHaveDuplicates();
    }

    private long ids(AuditRecord audit) {
        assertThat(audit.stream()).isEqualTo(new StreamName("orders/1").value());
        return audit.eventIds().size();
    }

    /** A TTL that its producer set is final at once, and so is an erasure. */
    @Test
    void shouldPromiseNoReturnOfADeleteThatIsFinal() {
        // given
        fixture.event(event("orders/1", "e").ttlSeconds(5));

        // when
        fixture.advance(6000);

        // then
        assertThat(fixture.audits).hasSize(1).allSatisfy(audit -> assertThat(audit.undoUntilMs())
                .isNull());
    }
}
