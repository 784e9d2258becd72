package dev.ebb.serde.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.serde.records.FieldMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EbbSchemasTest {

    /** Fields without which a record means nothing; older versions may have left out all others. */
    private static final Set<String> REQUIRED = Set.of(
            "Event.stream",
            "Event.id",
            "EventUpdate.stream",
            "EventUpdate.id",
            "ExecutionUpdate.stream",
            "ExecutionUpdate.execution",
            "RetentionPolicy.scope",
            "GateMark.sourceOffset",
            "Hold.case",
            "Hold.covers",
            "AuditRecord.auditId",
            "AuditRecord.action",
            "AuditRecord.at",
            "AuditRecord.scope",
            "SweepReport.sweepId",
            "SweepReport.partition",
            "SweepReport.trigger",
            "SweepReport.sweepPoint",
            "SweepReport.policyVersion",
            "SweepReport.startedAt",
            "SweepReport.completedAt",
            "SweepReport.streamsProcessed",
            "Command.commandId",
            "Command.verb",
            "CommandResult.commandId",
            "CommandResult.verb",
            "CommandResult.state",
            "CommandResult.startedAt",
            "CommandResult.updatedAt",
            "Errand.commandId",
            "Errand.step",
            "Errand.sender",
            "Errand.body",
            "ArchivedEvent.stream",
            "ArchivedEvent.id",
            "ArchivedEvent.storedAt",
            "ArchivedEvent.deletedAt",
            "ArchivedEvent.cause");

    static Stream<Schema> all() {
        return EbbSchemas.all().stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldExplainEveryRecordAndField(Schema schema) {
        assertThat(schema.getNamespace()).isEqualTo("dev.ebb");
        assertThat(schema.getDoc()).isNotBlank();
        assertThat(schema.getFields())
                .allSatisfy(field -> assertThat(field.doc()).isNotBlank());
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldGiveDefaultsToEverythingThatIsNotRequired(Schema schema) {
        assertThat(schema.getFields()).allSatisfy(field -> assertThat(field.hasDefaultValue())
                .as(field.name())
                .isNotEqualTo(REQUIRED.contains(schema.getName() + "." + field.name())));
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldReadWhatAVersionWroteThatHadTheRequiredFieldsOnly(Schema schema) {
        // given
        List<Schema.Field> required = schema.getFields().stream()
                .filter(field -> !field.hasDefaultValue())
                .map(field -> new Schema.Field(field.name(), field.schema(), field.doc()))
                .toList();
        Schema first = Schema.createRecord(schema.getName(), schema.getDoc(), schema.getNamespace(), false, required);

        // when / then: backward, and forward for readers that have not changed yet
        assertThat(compatibility(schema, first)).isEqualTo(SchemaCompatibilityType.COMPATIBLE);
        assertThat(compatibility(first, schema)).isEqualTo(SchemaCompatibilityType.COMPATIBLE);
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldNotTakeAnotherRecordForOneOfOurs(Schema schema) {
        // given
        Schema other =
                SchemaBuilder.record("Other").namespace("dev.ebb").fields().endRecord();

        // when / then
        assertThat(FieldMap.isSameType(schema, other)).isFalse();
        assertThat(FieldMap.isSameType(schema, schema)).isTrue();
    }

    private static SchemaCompatibilityType compatibility(Schema reader, Schema writer) {
        return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
                .getType();
    }
}
