package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repair of a damaged mirror; the map of rows of the fixture stands for SQL. */
@Tag("A-15")
class RepairScenarioTest {

    private static final String STREAM = "orders/1";

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldSendWhatIsStoredAndRemoveWhatIsNot() {
        // given
        fixture.event(event(STREAM, "lost"));
        fixture.event(event(STREAM, "changed"));
        fixture.event(event(STREAM, "moved").status("pending"));
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.advance(100);
        Map<Bytes, byte[]> before = new HashMap<>(fixture.mirror);
        Map<Bytes, byte[]> executionsBefore = new HashMap<>(fixture.executionRows);
        Instant old = Instant.parse("2026-01-31T23:59:59.999Z");
        Instant byHand = Instant.parse("2026-02-01T00:00:00.000001Z");
        byte[] changed = before.get(key(storedAt("changed"), "changed"));
        fixture.mirror.remove(key(storedAt("lost"), "lost"));
        fixture.mirror.put(key(storedAt("changed"), "changed"), new byte[] {1});
        fixture.mirror.remove(key(storedAt("moved"), "moved"));
        fixture.mirror.put(key(old, "moved"), changed);
        fixture.mirror.put(key(byHand, "bogus"), changed);
        fixture.mirror.put(key(old, " "), changed);
        fixture.executionRows.clear();
        fixture.executionRows.put(Bytes.wrap(fixture.rows.executionKey(new StreamName(STREAM), 9)), changed);

        // when
        CommandResult result = fixture.carryOut(request(
                "c-1",
                repair(
                        List.of(
                                new RowKey(storedAt("lost").toString(), "lost"),
                                new RowKey(storedAt("changed").toString(), "changed"),
                                new RowKey(old.toString(), "moved"),
                                new RowKey(byHand.toString(), "bogus"),
                                new RowKey(old.toString(), " ")),
                        List.of(1L, 9L))));

        // then
        assertThat(fixture.mirror).containsExactlyInAnyOrderEntriesOf(before);
        assertThat(fixture.executionRows).containsExactlyInAnyOrderEntriesOf(executionsBefore);
        assertThat(result.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(Outcomes.repaired(result).rowsSent())
                .as("lost, changed, moved, execution 1")
                .isEqualTo(4);
        assertThat(Outcomes.repaired(result).rowsRemoved())
                .as("moved, bogus, blank, execution 9")
                .isEqualTo(4);
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("lost", "changed", "moved");
    }

    @Test
    @Tag("O-3")
    void shouldWriteDownWhoAskedForItAndWhy() {
        // given
        fixture.event(event(STREAM, "a"));

        // when
        fixture.carryOut(request("c-1", repair(List.of(new RowKey(storedAt("a").toString(), "a")), List.of())));

        // then
        assertThat(fixture.repairs).hasSize(1);
        AuditRecord audit = fixture.repairs.get(0);
        assertThat(audit.stream()).isEqualTo(STREAM);
        assertThat(audit.eventIds()).containsExactly("a");
        assertThat(audit.commandId()).isEqualTo("c-1");
        assertThat(audit.actor()).isEqualTo("anna");
        assertThat(audit.reason()).isEqualTo("clean-up");
        assertThat(fixture.audits).as("deletions").isEmpty();
    }

    @Test
    @Tag("O-11")
    void shouldCarryARepeatedCommandOutOnce() {
        // given
        fixture.event(event(STREAM, "a"));
        Command repair = repair(List.of(new RowKey(storedAt("a").toString(), "a")), List.of());
        CommandResult first = fixture.carryOut(request("c-1", repair));
        int sent = fixture.mirrorLog.size();

        // when
        fixture.restart();
        CommandResult again = fixture.carryOut(request("c-1", repair));

        // then
        assertThat(again.outcome()).isEqualTo(first.outcome());
        assertThat(fixture.mirrorLog).hasSize(sent);
        assertThat(fixture.repairs).hasSize(1);
    }

    @Test
    @Tag("O-9")
    void shouldOnlyCountInADryRun() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.advance(100);
        int sent = fixture.mirrorLog.size();

        // when
        CommandResult result = fixture.carryOut(dryRun(
                "c-1",
                repair(
                        List.of(new RowKey(storedAt("a").toString(), "a"), new RowKey(Instant.EPOCH.toString(), "b")),
                        List.of(3L))));

        // then
        assertThat(Outcomes.repaired(result).rowsSent()).isEqualTo(1);
        assertThat(Outcomes.repaired(result).rowsRemoved()).isEqualTo(2);
        assertThat(fixture.mirrorLog).hasSize(sent);
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    @Tag("O-10")
    void shouldNotTouchWhatIsStoredSinceUnderTheSameName() {
        // given: rows that were found superfluous belong to stored events again when the command comes
        fixture.event(event(STREAM, "a"));
        Instant before = storedAt("a");
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        fixture.advance(1000);
        fixture.event(event(STREAM, "a"));
        fixture.advance(100);
        Map<Bytes, byte[]> now = new HashMap<>(fixture.mirror);

        // when
        fixture.carryOut(request("c-2", repair(List.of(new RowKey(before.toString(), "a")), List.of())));
        fixture.carryOut(request("c-3", repair(List.of(new RowKey(storedAt("a").toString(), "a")), List.of())));

        // then
        assertThat(storedAt("a")).isAfter(before);
        assertThat(fixture.mirror).containsExactlyInAnyOrderEntriesOf(now);
    }

    @Test
    void shouldRepairInBoundedSlicesAndEndOverARestart() {
        // given
        TopologyFixture small = TopologyFixture.inMemory(TopologyFixture.settings(java.util.OptionalLong.of(1), 10));
        List<RowKey> rows = IntStream.range(0, 100)
                .mapToObj(i -> new RowKey(Instant.EPOCH.plusMillis(i).toString(), "e" + i))
                .toList();

        // when
        small.send(request("c-1", repair(rows, List.of())));
        small.advance(100);
        int inOneSlice = small.mirrorLog.size();
        small.restart();
        CommandResult result = small.finish("c-1");

        // then
        assertThat(inOneSlice).isBetween(1, 20);
        assertThat(Outcomes.repaired(result).rowsRemoved()).isEqualTo(100);
        assertThat(small.mirrorLog).as("each row once, over both lives").hasSize(100);
        small.close();
    }

    private static Command repair(List<RowKey> rows, List<Long> executions) {
        return new Command.RepairMirror(new StreamName(STREAM), rows, executions);
    }

    private Instant storedAt(String id) {
        return Instant.ofEpochMilli(fixture.reader()
                .find(new StreamName(STREAM), new EventId(id))
                .orElseThrow()
                .storedAt());
    }

    private Bytes key(Instant storedAt, String id) {
        return Bytes.wrap(fixture.rows.eventKey(storedAt, STREAM, id));
    }
}
