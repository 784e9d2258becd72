package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.topology.fault.FailedRecordException;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records that wait can be dropped, and what they wait for can be asked for anew. */
@Tag("O-20")
class ParkedCommandTest {

    private static final StreamName S = new StreamName("s");

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @BeforeEach
    void park() {
        fixture.records.awaited(Wait.of("schema 8"));
        fixture.records.awaited(Wait.of("schema 9"));
        send("schema 8", "s", "a");
        send("schema 5", "s", "b");
        send("schema 8", "s", "c");
        send("schema 9", "s", "d");
        send("schema 5", "s", "e");
        send("schema 8", "t", "f");
        send("schema 9", "u", "g");
        fixture.advance(1000);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldDropAllRecordsThatWaitForASchemaAndNoOthers() {
        // when
        CommandResult result = carryOut("x", new Command.DropParked(null, 8L, null), false);

        // then
        assertThat(result.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(Outcomes.dropped(result).streams()).isEqualTo(2);
        assertThat(Outcomes.dropped(result).records()).isEqualTo(3);
        assertThat(fixture.ids("s")).containsExactly("b");
        assertThat(fixture.status().parkedFor())
                .containsExactlyInAnyOrder(new TaskStatus.Parked(Wait.of("schema 9"), 2, 3));
        assertThat(fixture.rejected).hasSize(3).allSatisfy(record -> {
            assertThat(EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_REASON))
                    .isEqualTo("DROPPED");
            assertThat(EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_DETAIL))
                    .isEqualTo("dropped by eva: lost");
        });
    }

    /** Senders of commands may write any key that leads to the partition. */
    @Test
    @Tag("M-4")
    void shouldHaveACommandUnderAnotherKeyWaitBehindTheRecordsOfItsStream() {
        // given an event, and behind it an update that protects it and cannot be read yet
        fixture.event(event("v", "a"));
        var update = new EventUpdate(new StreamName("v"), new EventId("a"), "processing", null, null, null);
        byte[] key = "v".getBytes(StandardCharsets.UTF_8);
        fixture.send(key, fixture.records.bytes("schema 9", update), fixture.nowMs());

        // when
        byte[] command = fixture.records.command(request("c", delete("v")));
        fixture.pipe(TopologyFixture.TOPICS.commands(), new byte[] {'k'}, command, new RecordHeaders(), 0);
        fixture.advance(1000);

        // then
        assertThat(fixture.result("c")).isNull();
        assertThat(fixture.ids("v")).containsExactly("a");

        // when
        fixture.records.arrived("schema 9");
        CommandResult result = fixture.finish("c");

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.STREAM_OPEN);
        assertThat(fixture.ids("v")).containsExactly("a");
    }

    @Test
    void shouldNotCommitARecordThatFailsHalfwayBehindADroppedOne() {
        // given
        fixture.observer.failsBehind = stream -> stream.equals(S);

        // when
        assertThatThrownBy(() -> carryOut("x", new Command.DropParked(null, 8L, null), false))
                .hasStackTraceContaining(FailedRecordException.class.getName());

        // then
        assertThat(fixture.failed.size()).isEqualTo(1);
    }

    @Test
    void shouldDropAllThatWaitsOfAStream() {
        // when
        CommandResult result = carryOut("x", new Command.DropParked(S, null, null), false);

        // then
        assertThat(Outcomes.dropped(result).records()).isEqualTo(5);
        assertThat(fixture.ids("s")).isEmpty();
        assertThat(fixture.status().parkedRecords()).isEqualTo(2);
        fixture.event(event("s", "next"));
        assertThat(fixture.ids("s")).containsExactly("next");
    }

    @Test
    @Tag("O-11")
    void shouldTellTheSenderOfACommandThatItDrops() {
        // given a command that waits behind the records of its stream
        fixture.send(CommandFixture.request("waiting", CommandFixture.delete("s")));

        // when
        CommandResult result = carryOut("x", new Command.DropParked(S, null, null), false);

        // then
        assertThat(Outcomes.dropped(result).records()).isEqualTo(6);
        assertThat(fixture.finish("waiting").refusal()).isEqualTo(Refusal.FAILED);
        assertThat(fixture.finish("waiting").detail()).isEqualTo("dropped by eva: lost");
    }

    @Test
    void shouldDropOneRecordIfItIsTheFirst() {
        // when
        CommandResult other = carryOut("x", new Command.DropParked(S, null, "ebb.events/0/1"), false);
        CommandResult first = carryOut("y", new Command.DropParked(S, null, "ebb.events/0/0"), false);
        fixture.advance(1000);

        // then
        assertThat(Outcomes.dropped(other).records()).isZero();
        assertThat(Outcomes.dropped(first).records()).isEqualTo(1);
        assertThat(fixture.ids("s")).containsExactly("b");
        assertThat(fixture.rejected).hasSize(1);
    }

    @Test
    @Tag("O-9")
    void shouldOnlySayWhatItWouldDrop() {
        // when
        CommandResult result = carryOut("x", new Command.DropParked(S, null, null), true);

        // then
        assertThat(Outcomes.dropped(result).records()).isEqualTo(5);
        assertThat(fixture.rejected).isEmpty();
        assertThat(fixture.status().parkedRecords()).isEqualTo(7);
    }

    @Test
    @Tag("O-11")
    void shouldDropNothingMoreWhenTheCommandIsSentAgain() {
        // given
        carryOut("x", new Command.DropParked(null, 8L, null), false);
        send("schema 8", "t", "later");

        // when
        CommandResult again = carryOut("x", new Command.DropParked(null, 8L, null), false);

        // then
        assertThat(Outcomes.dropped(again).records()).isEqualTo(3);
        assertThat(fixture.rejected).hasSize(3);
    }

    @Test
    void shouldAskAnewAtOnce() {
        // when
        CommandResult result = carryOut("x", new Command.RetryParked(null, 9L), false);

        // then
        assertThat(result.outcome()).isEqualTo(new Outcome.Retried(1));
        assertThat(fixture.records.askedAgain).containsExactly("schema 9");
        assertThat(fixture.rejected).isEmpty();

        // when
        carryOut("y", new Command.RetryParked(null, null), false);

        // then
        assertThat(fixture.records.askedAgain).contains("schema 8");
    }

    private CommandResult carryOut(String id, Command command, boolean isDryRun) {
        return fixture.carryOut(new CommandRequest(id, "eva", "lost", isDryRun, null, command));
    }

    private void send(String schema, String stream, String id) {
        byte[] value = fixture.records.bytes(schema, event(stream, id).build());
        fixture.send(stream.getBytes(StandardCharsets.UTF_8), value, fixture.nowMs());
    }
}
