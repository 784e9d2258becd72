package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.undo;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.Mirroring;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of SQL are a choice; the map of rows of the fixture stands for SQL, and rows as JSON must always agree with it. */
@Tag("F-13")
class RowsOfEventsTest {

    private static final String STREAM = "orders/1";
    private static final Scope ORDERS = Scope.namespace("orders");

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 300})
    void shouldTakeTheRowsAndLeaveTheEvents(int events) {
        // given
        for (int i = 0; i < events; i++) {
            fixture.event(event(STREAM, "e" + i).status(i % 3 == 0 ? "pending" : null));
        }
        fixture.event(event("mail/1", "stays"));
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.advance(100);
        Map<Bytes, byte[]> before = new HashMap<>(fixture.mirror);
        assertThat(before).hasSize(events + 1);

        // when
        fixture.policy(mirror(Mirroring.NONE)
                .updatedBy("ann")
                .reason("a table is there")
                .build());
        fixture.advance(5000);

        // then
        assertThat(fixture.mirror).hasSize(1);
        assertThat(fixture.ids(STREAM)).hasSize(events);
        assertThat(fixture.audits).as("deletes").isEmpty();
        assertThat(fixture.executionRows).as("executions keep their rows").hasSize(1);
        assertThat(fixture.rowRemovals).hasSize(events == 0 ? 0 : 1).allSatisfy(audit -> {
            assertThat(audit.action()).isEqualTo(AuditRecord.ROWS_REMOVED);
            assertThat(audit.stream()).isEqualTo(STREAM);
            assertThat(audit.scope()).isEqualTo("namespace:orders");
            assertThat(audit.policyVersion()).isNotNull();
            assertThat(audit.actor()).isEqualTo("ann");
            assertThat(audit.reason()).isEqualTo("a table is there");
            assertThat(audit.total()).isEqualTo(events);
        });

        // when
        fixture.policy(mirror(Mirroring.ALL).build());
        fixture.advance(5000);

        // then
        assertThat(fixture.mirror).containsExactlyInAnyOrderEntriesOf(before);
        assertThat(fixture.rowRemovals).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void shouldGiveNoRowToWhatComesAndChanges() {
        // given
        fixture.policy(mirror(Mirroring.NONE).build());
        fixture.event(event(STREAM, "new"));
        fixture.event(event(STREAM, "open").status("pending"));
        fixture.advance(2000);

        // when
        fixture.event(event(STREAM, "new").type("changed"));
        fixture.event(event(STREAM, "open").status("completed"));
        fixture.advance(2000);

        // then
        assertThat(fixture.mirror).isEmpty();
        assertThat(fixture.mirrorLog).as("rows as JSON").isEmpty();
        assertThat(fixture.rowRemovals).as("there were none").isEmpty();
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("new", "open");
    }

    @Test
    @Tag("O-3")
    void shouldExplainDeletesOfEventsWithoutRows() {
        // given
        fixture.policy(mirror(Mirroring.NONE).build());
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));
        fixture.advance(2000);

        // when
        fixture.policy(mirror(Mirroring.NONE).maxCount(Limit.of(1)).build());
        fixture.advance(3000);

        // then
        assertThat(fixture.audits).hasSize(1);
        assertThat(fixture.audits.get(0).eventIds()).containsExactly("a");
        assertThat(fixture.mirror).isEmpty();
        assertThat(fixture.mirrorLog).as("rows as JSON").singleElement().satisfies(delete -> {
            assertThat(new String(delete.key(), UTF_8)).contains("\"event_id\":\"a\"");
            assertThat(delete.value()).isNull();
            assertThat(new String(delete.headers().lastHeader("ebb-cause").value(), UTF_8))
                    .isEqualTo("MAX_COUNT");
        });
    }

    @Test
    @Tag("T-2")
    void shouldGiveNoRowToWhatAnUndoBringsBack() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event("mail/1", "b"));
        fixture.advance(2000);
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.carryOut(request("c-2", deleteForced("mail/1")));
        fixture.emptyOut();
        fixture.policy(mirror(Mirroring.NONE).build());
        fixture.advance(2000);

        // when
        fixture.carryOut(request("u-1", undo("c-1")));
        fixture.carryOut(request("u-2", undo("c-2")));
        fixture.advance(2000);

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("a");
        assertThat(fixture.mirror).hasSize(1);
    }

    /** A stream is deleted while its rows go, and used again. */
    @Test
    @Tag("O-10")
    void shouldTakeTheRowsOfADeletedStream() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.advance(2000);
        fixture.policy(mirror(Mirroring.NONE).build());

        // when
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.emptyOut();
        fixture.event(event(STREAM, "b"));
        fixture.advance(2000);

        // then
        assertThat(fixture.mirror).isEmpty();
        assertThat(fixture.ids(STREAM)).containsExactly("b");
    }

    /** What a transaction holds back belongs to the choice under which it came. */
    @Test
    @Tag("I-7")
    void shouldGoOnAfterARestart() {
        // given
        for (int i = 0; i < 50; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        fixture.advance(2000);

        // when
        fixture.policy(mirror(Mirroring.NONE).build());
        fixture.advance(1);
        fixture.restart();
        fixture.event(event(STREAM, "e7").type("changed"));
        fixture.advance(5000);

        // then
        assertThat(fixture.mirror).isEmpty();
        assertThat(fixture.rowRemovals).hasSize(1);
    }

    @Test
    @Tag("I-7")
    void shouldBringAllRowsBackOverARestart() {
        // given
        for (int i = 0; i < 50; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        fixture.advance(2000);
        Map<Bytes, byte[]> before = new HashMap<>(fixture.mirror);
        fixture.policy(mirror(Mirroring.NONE).build());
        fixture.advance(2000);
        assertThat(fixture.mirror).isEmpty();

        // when
        fixture.policy(mirror(Mirroring.ALL).build());
        fixture.advance(1);
        fixture.restart();
        fixture.event(event(STREAM, "e7").type("changed"));
        fixture.advance(5000);

        // then
        assertThat(fixture.mirror.keySet()).isEqualTo(before.keySet());
        assertThat(fixture.mirror).isNotEqualTo(before);
    }

    @Test
    @Tag("A-15")
    void shouldRepairToNoRow() {
        // given a row that was made by hand
        fixture.policy(mirror(Mirroring.NONE).build());
        fixture.event(event(STREAM, "a"));
        fixture.advance(2000);
        Instant storedAt = Instant.ofEpochMilli(fixture.stored().get(0).storedAt());
        byte[] row = fixture.rows.eventRow(fixture.stored().get(0));
        fixture.mirror.put(Bytes.wrap(fixture.rows.eventKey(storedAt, STREAM, "a")), row);

        // when
        Command repair = new Command.RepairMirror(
                new StreamName(STREAM), List.of(new RowKey(storedAt.toString(), "a")), List.of());
        CommandResult result = fixture.carryOut(request("c-1", repair));

        // then
        assertThat(Outcomes.repaired(result).rowsSent()).isZero();
        assertThat(Outcomes.repaired(result).rowsRemoved()).isEqualTo(1);
        assertThat(fixture.mirror).isEmpty();
    }

    @Test
    @Tag("O-14")
    void shouldPlanHowManyRowsGo() {
        // given
        for (int i = 0; i < 3; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        fixture.event(event("orders/2", "e"));
        fixture.event(event("mail/1", "e"));
        String file = "policies: [{scope: 'namespace:orders', mirror: none}, {scope: 'stream:orders/2', mirror: all}]";

        // when
        CommandResult plan = fixture.carryOut(dryRun("p-1", new Command.SweepNow(Scope.ALL, null, file, false)));

        // then
        assertThat(plan.outcome()).isInstanceOfSatisfying(Outcome.Swept.class, swept -> {
            assertThat(swept.rowsWouldGo()).isEqualTo(3);
            assertThat(swept.wouldDelete()).isZero();
            assertThat(swept.heldBack())
                    .as("events stay, so nothing is held back")
                    .isFalse();
        });
        assertThat(fixture.mirror).hasSize(5);
    }

    private static RetentionPolicy.Builder mirror(Mirroring rows) {
        return RetentionPolicy.of(ORDERS).set(PolicyField.MIRROR, rows);
    }
}
