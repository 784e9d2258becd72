package dev.ebb.serde.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.schemas.AvroStart;
import dev.ebb.serde.schemas.EbbAvroDeserializer;
import dev.ebb.serde.schemas.EbbAvroSerializer;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.WaitingSchemas;
import dev.ebb.serde.text.CommandParser;
import dev.ebb.topology.Outcomes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CommandRecordsTest {

    private static final StreamName STREAM = new StreamName("orders/eu-1");

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final AvroRecords records = new AvroRecords(
            new EbbAvroDeserializer(new WaitingSchemas(registry)),
            new EbbAvroSerializer(registry),
            new AvroStart(registry));

    @BeforeEach
    void prepare() {
        records.prepare();
    }

    @AfterEach
    void close() {
        records.close();
    }

    @Test
    void shouldReadWhatAnotherProgramWritesWithOnlyTheFieldsThatItNeeds() {
        // given
        Schema theirs = SchemaBuilder.record("Command")
                .namespace("dev.ebb")
                .fields()
                .requiredString("commandId")
                .requiredString("verb")
                .requiredString("stream")
                .requiredInt("keepLast")
                .endRecord();
        GenericRecord avro = new GenericRecordBuilder(theirs)
                .set("commandId", "c-1")
                .set("verb", "prune")
                .set("stream", "orders/eu-1")
                .set("keepLast", 3)
                .build();

        // when / then
        assertThat(read(records.encode(avro)))
                .isEqualTo(new DecodedCommand.Good(new CommandRequest(
                        "c-1", "", "", false, null, new Command.PruneStream(STREAM, new PruneCondition(3L, null)))));
    }

    /** T-6, T-10: a plan knows its conditions and its case. */
    @Test
    void shouldReadAnErasureByPlanWithoutConditions() {
        Map<String, Object> planned =
                Map.of("commandId", "c-1", "verb", "erase", "actor", "", "reason", "art. 17", "plan", "p-1");
        Map<String, Object> empty = Map.of(
                "commandId",
                "c-1",
                "verb",
                "erase",
                "actor",
                "",
                "reason",
                "art. 17",
                "plan",
                "p-1",
                "where",
                List.of());

        assertThat(CommandParser.parse(planned).request())
                .hasValueSatisfying(request -> assertThat(request.plan()).isEqualTo("p-1"));
        assertThat(CommandParser.parse(planned).faults()).isEmpty();
        assertThat(CommandParser.parse(empty).faults())
                .extracting(Object::toString)
                .containsExactly("where is empty; erase takes at least one condition such as metadata.user=42");
    }

    @Test
    void shouldRefuseFieldThatItDoesNotKnow() {
        // given: a slip of the pen, without which this would purge far less
        Schema theirs = SchemaBuilder.record("Command")
                .namespace("dev.ebb")
                .fields()
                .requiredString("commandId")
                .requiredString("verb")
                .requiredBoolean("all")
                .requiredLong("completedBefor")
                .endRecord();
        GenericRecord avro = new GenericRecordBuilder(theirs)
                .set("commandId", "c-1")
                .set("verb", "purge")
                .set("all", true)
                .set("completedBefor", 5L)
                .build();

        // when / then
        assertThat(bad(records.encode(avro)).rejection().detail())
                .isEqualTo("completedBefor is not a field of a command");
    }

    static Stream<Arguments> contradictions() {
        return Stream.of(
                bad(
                        "verb must be one of delete, purge, prune, prune-bulk, set-ttl, delete-event, sweep, repair,"
                                + " repair-stream, drop-parked, retry-parked, erase, empty-source, undo, was 'drop'",
                        "drop",
                        avro -> {}),
                bad("commandId must not be empty", "sweep", avro -> avro.put("commandId", "")),
                bad(
                        "commandId must not be longer than 255 bytes, has 256",
                        "sweep",
                        avro -> avro.put("commandId", "c".repeat(256))),
                bad(
                        "reason must not be longer than 4096 characters, was 4097",
                        "sweep",
                        avro -> avro.put("reason", "r".repeat(4097))),
                bad("maxDeletes must be at least 0, was -1", "purge", avro -> avro.put("maxDeletes", -1L)),
                bad(
                        "maxDeletes is not a field of sweep; it is for delete, purge, prune, prune-bulk,"
                                + " delete-event, erase, empty-source",
                        "sweep",
                        avro -> avro.put("maxDeletes", 1L)),
                bad("stream is missing", "delete", avro -> {}),
                bad("stream must not contain control characters", "delete", avro -> avro.put("stream", "a\u0000")),
                bad(
                        "stream is not a field of purge; it is for delete, prune, set-ttl, delete-event,"
                                + " repair, repair-stream, drop-parked, retry-parked, undo",
                        "purge",
                        avro -> avro.put("stream", "a")),
                bad("namespace is not a field of prune; it is for purge, prune-bulk, erase, undo", "prune", avro -> {
                    avro.put("stream", "a");
                    avro.put("namespace", "b");
                }),
                bad(
                        "force is not a field of purge; it is for delete, delete-event, erase, empty-source",
                        "purge",
                        avro -> avro.put("force", true)),
                bad(
                        "streams has the name ' a', which must not begin or end with a blank",
                        "purge",
                        avro -> avro.put("streams", List.of("b", " a"))),
                bad(
                        "namespace is wrong: a namespace has no '/'; did you mean stream:a/b?",
                        "purge",
                        avro -> avro.put("namespace", "a/b")),
                bad("limit must be at least 1, was 0", "purge", avro -> avro.put("limit", 0L)),
                bad(
                        "completedBefore is wrong: -1 is read as 1969-12-31, before 1971",
                        "purge",
                        avro -> avro.put("completedBefore", -1L)),
                bad("keepLast must be at least 0, was -3", "prune-bulk", avro -> avro.put("keepLast", -3L)),
                bad("eventId is missing", "delete-event", avro -> avro.put("stream", "a")),
                bad(
                        "ttlMs is missing; set-ttl takes one of ttlMs, expiresAt, noExpiration and inherit",
                        "set-ttl",
                        CommandRecordsTest::event),
                bad("ttlMs must be at least 1, was 0", "set-ttl", avro -> {
                    event(avro);
                    avro.put("ttlMs", 0L);
                }),
                bad(
                        "ttlMs cannot be combined with noExpiration; set-ttl takes only one of ttlMs, expiresAt,"
                                + " noExpiration and inherit",
                        "set-ttl",
                        avro -> {
                            event(avro);
                            avro.put("ttlMs", 5L);
                            avro.put("noExpiration", true);
                        }),
                bad(
                        "scope must be stream:<name>, namespace:<name> or *; streams of a pattern cannot be swept"
                                + " alone",
                        "sweep",
                        avro -> avro.put("scope", "pattern:cache")),
                bad(
                        "scope is wrong: 'all' is not a scope; write stream:<name>, namespace:<name>, pattern:<name>"
                                + " or *",
                        "sweep",
                        avro -> avro.put("scope", "all")),
                bad(
                        "rows is missing; repair takes rows, executions or both",
                        "repair",
                        avro -> avro.put("stream", "a")),
                bad(
                        "rows has an element that is not a row: 'yesterday' is not a time such as"
                                + " 2026-01-31T09:00:00.123Z",
                        "repair",
                        avro -> {
                            avro.put("stream", "a");
                            avro.put("rows", List.of("2026-01-31T09:00:00Z good", "yesterday bad"));
                        }),
                bad("executions must not have more than 1000 elements, has 1001", "repair", avro -> {
                    avro.put("stream", "a");
                    avro.put("rows", List.of("2026-01-31T09:00:00Z good"));
                    avro.put("executions", Collections.nCopies(1001, 1L));
                }),
                bad(
                        "at is for dry runs only: a sweep that deletes uses the time at which it runs",
                        "sweep",
                        avro -> avro.put("at", 1_800_000_000_000L)));
    }

    @ParameterizedTest
    @MethodSource("contradictions")
    @Tag("O-20")
    void shouldSayInOneSentenceWhatIsWrong(String detail, String verb, Consumer<GenericRecord> fault) {
        // given
        GenericRecord avro = new GenericRecordBuilder(EbbSchemas.COMMAND)
                .set("commandId", "c-1")
                .set("verb", verb)
                .build();
        fault.accept(avro);

        // when
        DecodedCommand.Bad bad = bad(records.encode(avro));

        // then: who sent it can be answered
        assertThat(bad.rejection().reason()).isEqualTo(RejectReason.BAD_COMMAND);
        assertThat(bad.rejection().detail()).isEqualTo(detail);
        assertThat(bad.commandId()).isEqualTo(avro.get("commandId").toString());
        assertThat(bad.verb()).isEqualTo(verb);
    }

    @Test
    void shouldNameEveryFault() {
        assertThat(CommandParser.parse(Map.of("verb", "purge", "limit", "ten", "all", 1L))
                        .detail())
                .isEqualTo("commandId is missing; limit must be a whole number, was 'ten'; all must be true or"
                        + " false, was '1'");
    }

    @Test
    @Tag("O-20")
    void shouldRefuseWhatIsNoCommandAtAll() {
        assertThat(bad(null).rejection().reason()).isEqualTo(RejectReason.UNDECODABLE);
        assertThat(bad("nonsense".getBytes(StandardCharsets.UTF_8)).rejection().reason())
                .isEqualTo(RejectReason.UNDECODABLE);
        assertThat(bad(records.mark(1, null, List.of())).rejection())
                .satisfies(rejection -> assertThat(rejection.reason()).isEqualTo(RejectReason.WRONG_TYPE))
                .satisfies(rejection -> assertThat(rejection.detail()).contains("dev.ebb.GateMark", "dev.ebb.Command"));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    @Tag("O-9")
    void shouldReadResultThatItWrote(State state) {
        // given
        CommandRequest request = new CommandRequest(
                "c-1", "ann", "old", true, null, new Command.DeleteStream(new StreamName("a"), true));
        CommandResult result = new CommandResult(
                "c-1",
                "sweep",
                state,
                state == State.REFUSED ? Refusal.HELD : null,
                "LIT-1",
                true,
                new Outcome.Swept(
                                Outcomes.deleted(
                                        9, 0, 3, 20, 2, 4000, Map.of(Refusal.STREAM_OPEN, 3L, Refusal.HELD, 2L)),
                                new Outcome.Parts(
                                        List.of(
                                                new Part("a", RemovalCause.MAX_AGE, 5, 50),
                                                new Part("b", RemovalCause.PURGE, 1, 10)),
                                        0,
                                        List.of()),
                                Instant.ofEpochMilli(7),
                                -1)
                        .warned(5, 500)
                        .losingRows(6),
                100,
                request.fingerprint());

        // when / then
        assertThat(result.fingerprint()).hasSize(36);
        assertThat(records.readResult(records.result(result))).isEqualTo(new DecodedResult.Good(result));
    }

    @Test
    void shouldNotTakeAnythingElseForAResult() {
        // given
        GenericRecord odd = new GenericRecordBuilder(EbbSchemas.COMMAND_RESULT)
                .set("commandId", "c-1")
                .set("verb", "sweep")
                .set("state", "PERHAPS")
                .set("startedAt", 1L)
                .set("updatedAt", 1L)
                .build();

        // when / then
        assertThat(records.readResult(records.encode(odd)))
                .isInstanceOfSatisfying(DecodedResult.Bad.class, bad -> assertThat(
                                bad.rejection().detail())
                        .isEqualTo("state is 'PERHAPS', which is unknown here"));
        assertThat(records.readResult(records.mark(1, null, List.of()))).isInstanceOf(DecodedResult.Bad.class);
    }

    private static void event(GenericRecord avro) {
        avro.put("stream", "a");
        avro.put("eventId", "1");
    }

    private static Arguments bad(String detail, String verb, Consumer<GenericRecord> fault) {
        return Arguments.of(detail, verb, fault);
    }

    private DecodedCommand read(byte[] value) {
        return records.readCommand("ebb.commands", new RecordHeaders(), value);
    }

    private DecodedCommand.Bad bad(byte[] value) {
        return (DecodedCommand.Bad) read(value);
    }
}
