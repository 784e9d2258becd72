package dev.ebb.domain.retention;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.FieldType;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.Policies;
import dev.ebb.model.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each cause of a removal has a rule, is decided by it, and is explained wherever causes are read. */
class RemovalCauseCatalogueTest {

    private static final long NOW = 1_000_000;

    static Stream<RemovalCause> causesOfPolicies() {
        return Stream.of(RemovalCause.values()).filter(cause -> cause.field() != null);
    }

    static Stream<PolicyField<?>> caps() {
        return PolicyField.ALL.stream().filter(field -> field.type() == FieldType.CAP);
    }

    static Stream<RemovalCause> causesOfSweeps() {
        return Stream.of(RemovalCause.values()).filter(cause -> !cause.isCommand() && !cause.isOfSource());
    }

    /** Else a sweep would find a stream over a cap, and no cause to name. */
    @ParameterizedTest
    @MethodSource("caps")
    void shouldNameEveryCapInOneCause(PolicyField<?> cap) {
        assertThat(Stream.of(RemovalCause.values()).filter(cause -> cause.field() == cap))
                .singleElement()
                .matches(RemovalCause::isCap);
    }

    @ParameterizedTest
    @MethodSource("causesOfPolicies")
    void shouldBeDecidedByItsFieldAlone(RemovalCause cause) {
        // given
        StoredEvent event = event("s", "e").stored(0);
        Place place = new Place(Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);

        // when
        Decision decision = RetentionDecider.decide(event, place, policy(cause), NOW);

        // then
        assertThat(decision).isEqualTo(new Decision.Remove(cause));
        assertThat(policy(cause).isOverCap(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(cause.isCap());
    }

    @ParameterizedTest
    @MethodSource("causesOfPolicies")
    void shouldFollowTheRuleOfItsField(RemovalCause cause) {
        assertThat(RemovalRule.of(cause, policy(cause), 9)).isEqualTo(new RemovalRule("*", "all", 0));
    }

    @ParameterizedTest
    @MethodSource("causesOfPolicies")
    void shouldMakeTheBrakeAskWhereItsFieldGetsLower(RemovalCause cause) {
        // given
        PolicyField<Limit> field = Objects.requireNonNull(cause.field());

        // then
        assertThat(field.canDeleteMore(Limit.of(2), Limit.of(1))).isTrue();
        assertThat(field.canDeleteMore(Limit.NONE, Limit.of(1))).isTrue();
        assertThat(field.canDeleteMore(Limit.of(1), Limit.of(2))).isFalse();
        assertThat(field.canDeleteMore(Limit.of(1), Limit.NONE)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeExplainedWithTheRecordsOfSingleDeletions(RemovalCause cause) throws IOException {
        assertThat(causesIn("schemas/ArchivedEvent.avsc")).contains(cause.name());
        assertThat(causesIn("schemas/AuditRecord.avsc")).contains(cause.name());
    }

    @ParameterizedTest
    @MethodSource("causesOfSweeps")
    void shouldBeExplainedWhereSweepsAre(RemovalCause cause) throws IOException {
        assertThat(causesIn("schemas/SweepReport.avsc")).contains(cause.name());
        assertThat(Files.readString(ProjectFiles.file("docs/semantics/deletion.md")))
                .contains("(`" + cause + "`)");
        assertThat(commentOfTheColumn()).contains(cause.name());
    }

    /** All events but those of that cause stay by this policy. */
    private static EffectivePolicy policy(RemovalCause cause) {
        return Policies.setOf(RetentionPolicy.of(Scope.ALL)
                        .maxAge(Limit.NONE)
                        .set(Objects.requireNonNull(cause.field()), Limit.of(1))
                        .build())
                .effectiveIn(null);
    }

    private static String causesIn(String schema) throws IOException {
        return Files.readAllLines(ProjectFiles.file(schema)).stream()
                .filter(line -> line.contains("MAX_AGE"))
                .findFirst()
                .orElseThrow();
    }

    private static String commentOfTheColumn() throws IOException {
        try (Stream<Path> migrations = Files.list(ProjectFiles.file("config/sql"))) {
            String last = "";
            for (Path migration : migrations.sorted().toList()) {
                for (String line : Files.readAllLines(migration)) {
                    last = line.startsWith("COMMENT ON COLUMN retention_audit.cause ") ? line : last;
                }
            }
            return last;
        }
    }
}
