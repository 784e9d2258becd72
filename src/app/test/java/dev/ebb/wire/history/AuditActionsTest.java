package dev.ebb.wire.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.change.PolicyChange;
import dev.ebb.domain.retention.AuditRecord;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The audit can be searched for each action of its records. */
@Tag("O-17")
class AuditActionsTest {

    @Test
    void shouldNameEachActionOfTheAudit() {
        Stream<String> ofPolicies = Arrays.stream(PolicyChange.Action.values()).map(Enum::name);
        Stream<String> others = Stream.of(
                "CHANGE",
                AuditRecord.DELETE,
                AuditRecord.MIRROR_REPAIRED,
                AuditRecord.USAGE_REPAIRED,
                AuditRecord.LOG_RAISED,
                AuditRecord.SOURCE_RESET,
                AuditRecord.ROWS_REMOVED,
                AuditRecord.ERASED,
                AuditRecord.RESTORE,
                AuditRecord.DONE);

        assertThat(AuditView.Action.values())
                .extracting(Enum::name)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(ofPolicies, others).toList());
    }
}
