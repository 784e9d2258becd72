package dev.ebb.serde.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.command.CommandProgress;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.Notice;
import dev.ebb.serde.json.RecordJson;
import dev.ebb.serde.schemas.RejectedException;
import dev.ebb.topology.Outcomes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BoundRecordTest {

    private static final Outcome.Swept SWEPT = new Outcome.Swept(
            9,
            3,
            20,
            2,
            4000,
            Map.of(Refusal.STREAM_OPEN, 3L),
            10,
            11,
            12,
            13,
            4,
            5,
            6,
            new Outcome.Parts(
                    List.of(new Outcome.Part("a", RemovalCause.MAX_AGE, 5, 50)),
                    15,
                    List.of(new Outcome.Rest("orders", RemovalCause.TTL, 27, 28))),
            Instant.ofEpochMilli(16),
            -1,
            true);

    private static final CommandResult RESULT = result(SWEPT);

    private static CommandResult result(Outcome outcome) {
        return new CommandResult(
                "c-1",
                "sweep",
                CommandResult.State.REFUSED,
                Refusal.HELD,
                "LIT-1",
                true,
                outcome,
                new PlanOutcome(
                        "p-1",
                        "eva",
                        17,
                        18,
                        new PlanDigest(19, 1, 2, 3, 4),
                        new PlanDigest(20, 5, 6, 7, 8),
                        Map.of(LeftOut.GONE, 21L)),
                new CommandProgress(22, 23),
                Instant.ofEpochMilli(100),
                Instant.ofEpochMilli(200),
                "f");
    }

    private static Stream<Outcome> outcomes() {
        return Stream.of(
                SWEPT,
                Outcomes.deleted(9, 4, 3, 20, 2, 4000, Map.of(Refusal.HELD, 3L)),
                new Outcome.Undone(
                        22,
                        23,
                        24,
                        25,
                        Map.of(NotReturned.REUSED, 26L),
                        List.of(new Outcome.Left("a", "e-1", NotReturned.REUSED)),
                        List.of("b"),
                        new Notice(Instant.ofEpochMilli(27), 28, Instant.ofEpochMilli(29))),
                new Outcome.Repaired(1, 2),
                new Outcome.Dropped(1, 2),
                new Outcome.Retried(1),
                new Outcome.Confirmed(3));
    }

    /** Values of which no field has its default. */
    static Stream<Arguments> records() {
        return Stream.concat(outcomes().map(outcome -> Arguments.of(BoundRecords.RESULT, result(outcome))), others());
    }

    private static Stream<Arguments> others() {
        return Stream.of(
                Arguments.of(
                        MarkRecords.MARK,
                        new DecodedPolicy.Mark(
                                1,
                                "u",
                                List.of(new WaitingPolicy(
                                        PolicyKey.ofHold("c"), 2, "a", 3, "w", new BrakeFinding(4, true, 5))))),
                Arguments.of(BoundRecords.ERRAND, new Errand("c-1", Errand.Step.SWEPT, 3, "{}")),
                Arguments.of(
                        BoundRecords.AUDIT,
                        new AuditRecord(
                                "a",
                                "b",
                                1,
                                "c",
                                "d",
                                "e",
                                "f",
                                "g",
                                2L,
                                List.of("h"),
                                3,
                                4L,
                                5L,
                                "i",
                                "j",
                                "k",
                                6L,
                                "l",
                                7L,
                                "m")),
                Arguments.of(
                        BoundRecords.REPORT,
                        new SweepReport(
                                "s",
                                "c",
                                1,
                                "t",
                                2,
                                3,
                                4,
                                5,
                                6,
                                Map.of("TTL", new SweepReport.Tally(7, 8)),
                                Map.of("MAX_AGE", new SweepReport.Tally(9, 10)),
                                11,
                                12,
                                "warn",
                                true)));
    }

    /** without a registry they are JSON. */
    @ParameterizedTest
    @MethodSource("records")
    <R> void shouldReadEveryFieldThatItWroteAsJson(BoundRecord<R> binder, R value) {
        // given
        GenericRecord written = binder.write(value);

        // when
        byte[] json = RecordJson.write(written);

        // then
        assertThat(binder.read(RecordJson.read(written.getSchema(), json))).isEqualTo(value);
    }

    @ParameterizedTest
    @MethodSource("records")
    <R> void shouldReadEveryFieldThatItWrote(BoundRecord<R> binder, R value) {
        // when
        GenericRecord written = binder.write(value);

        // then
        assertThat(written.getSchema().getFields()).allSatisfy(field -> assertThat(written.get(field.pos()))
                .as(field.name())
                .isNotNull()
                .isNotEqualTo(field.hasDefaultValue() ? defaultOf(field) : null));
        assertThat(GenericData.get().validate(written.getSchema(), written)).isTrue();
        assertThat(binder.read(written)).isEqualTo(value);
    }

    @ParameterizedTest
    @MethodSource("records")
    <R> void shouldTakeDefaultsForFieldsThatAFormerVersionDidNotKnow(BoundRecord<R> binder, R value) {
        // given
        GenericRecord former = without(binder.write(value), Schema.Field::hasDefaultValue);

        // when
        GenericRecord read = binder.write(binder.read(former));

        // then
        assertThat(read.getSchema().getFields()).allSatisfy(field -> assertThat(read.get(field.pos()))
                .as(field.name())
                .isEqualTo(field.hasDefaultValue() ? defaultOf(field) : former.get(field.name())));
    }

    @ParameterizedTest
    @MethodSource("records")
    <R> void shouldPassOverFieldsOfANewerVersion(BoundRecord<R> binder, R value) {
        // given
        GenericRecord ours = binder.write(value);
        List<Schema.Field> fields = new ArrayList<>();
        fields.add(new Schema.Field("new", Schema.create(Schema.Type.STRING)));
        ours.getSchema().getFields().forEach(field -> fields.add(new Schema.Field(field, field.schema())));
        GenericRecord newer = new GenericData.Record(record(ours.getSchema(), fields));
        newer.put("new", "unknown");
        ours.getSchema().getFields().forEach(field -> newer.put(field.name(), ours.get(field.pos())));

        // when / then
        assertThat(binder.read(newer)).isEqualTo(value);
    }

    @ParameterizedTest
    @MethodSource("records")
    <R> void shouldRefuseARecordWithoutARequiredField(BoundRecord<R> binder, R value) {
        // given
        GenericRecord written = binder.write(value);

        // when / then
        assertThat(written.getSchema().getFields().stream().filter(field -> !field.hasDefaultValue()))
                .isNotEmpty()
                .allSatisfy(required -> assertThatThrownBy(() -> binder.read(without(written, required::equals)))
                        .isInstanceOfSatisfying(RejectedException.class, refused -> assertThat(
                                        refused.rejection().reason())
                                .isEqualTo(RejectReason.UNDECODABLE))
                        .hasMessageContaining(required.name() + " is missing"));
    }

    @Test
    void shouldReadPartsWithTheirFieldsInAnotherOrder() {
        // given
        GenericRecord written = BoundRecords.RESULT.write(RESULT);
        GenericRecord parts = inner(written, "outcome.parts");
        GenericRecord part = (GenericRecord) ((List<?>) parts.get("biggest")).get(0);
        List<Schema.Field> fields = new ArrayList<>();
        for (String name : List.of("bytes", "events", "cause", "stream")) {
            fields.add(new Schema.Field(
                    part.getSchema().getField(name),
                    part.getSchema().getField(name).schema()));
        }
        GenericRecord other = new GenericData.Record(record(part.getSchema(), fields));
        fields.forEach(field -> other.put(field.name(), part.get(field.name())));

        // when
        parts.put("biggest", List.of(part, other, part));

        // then
        Outcome.Part expected = SWEPT.parts().biggest().get(0);
        Outcome.Swept read = (Outcome.Swept) BoundRecords.RESULT.read(written).outcome();
        assertThat(read.parts().biggest()).containsExactly(expected, expected, expected);
    }

    static Stream<Arguments> damaged() {
        return Stream.of(
                Arguments.of("", "state", "PERHAPS", "state is 'PERHAPS', which is unknown here"),
                Arguments.of("", "startedAt", "soon", "startedAt must be a whole number, was 'soon'"),
                Arguments.of("", "dryRun", 1, "dryRun must be true or false, was '1'"),
                Arguments.of("", "detail", 1, "detail must be a text, was '1'"),
                Arguments.of("", "outcome", "all", "outcome must be a record, was 'all'"),
                Arguments.of("outcome.parts", "biggest", "all", "biggest must be a list, was 'all'"),
                Arguments.of("outcome.parts", "biggest", List.of("all"), "biggest must be a record, was 'all'"),
                Arguments.of("outcome", "eventsDeleted", -1L, "a count must not be negative, was -1"),
                Arguments.of("outcome", "streamsSkipped", "all", "streamsSkipped must be a map, was 'all'"),
                Arguments.of(
                        "outcome",
                        "streamsSkipped",
                        Map.of("MOOD", 1L),
                        "streamsSkipped is 'MOOD', which is unknown here"),
                Arguments.of(
                        "outcome",
                        "streamsSkipped",
                        Map.of("HELD", "1"),
                        "streamsSkipped must be a whole number, was '1'"));
    }

    @ParameterizedTest
    @MethodSource("damaged")
    void shouldRefuseAValueOfAnotherKind(String where, String field, Object value, String message) {
        // given
        GenericRecord written = BoundRecords.RESULT.write(RESULT);
        inner(written, where).put(field, value);

        // when / then
        assertThatThrownBy(() -> BoundRecords.RESULT.read(written))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(message);
    }

    private static GenericRecord inner(GenericRecord record, String path) {
        GenericRecord inner = record;
        for (String name : path.isEmpty() ? List.<String>of() : List.of(path.split("\\."))) {
            inner = (GenericRecord) inner.get(name);
        }
        return inner;
    }

    private static Object defaultOf(Schema.Field field) {
        Object value = GenericData.get().getDefaultValue(field);
        return value instanceof CharSequence ? value.toString() : value;
    }

    private static GenericRecord without(GenericRecord record, Predicate<Schema.Field> isUnknown) {
        List<Schema.Field> fields = record.getSchema().getFields().stream()
                .filter(isUnknown.negate())
                .map(field -> new Schema.Field(field, field.schema()))
                .toList();
        GenericRecord result = new GenericData.Record(record(record.getSchema(), fields));
        fields.forEach(field -> result.put(field.name(), record.get(field.name())));
        return result;
    }

    private static Schema record(Schema of, List<Schema.Field> fields) {
        return Schema.createRecord(of.getName(), "", of.getNamespace(), false, fields);
    }
}
