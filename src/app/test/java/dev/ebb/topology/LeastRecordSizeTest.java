package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.all;
import static dev.ebb.topology.CommandFixture.child;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.prune;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.sweep;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The smallest {@code record.max.bytes} is enough for the longest names, ids and reasons, made of the characters that
 * take the most bytes. The fixture checks that each record that goes out fits, at its real size.
 */
@Tag("O-20")
class LeastRecordSizeTest {

    private static final int LEAST = 65_536;
    private static final String LONG_REASON = "\u0001".repeat(4096);
    /** No control characters, which an author cannot have: of all others, these take the most bytes. */
    private static final String LONG_ACTOR = "€".repeat(255);

    private TopologyFixture fixture = fixture(true);

    private static TopologyFixture fixture(boolean isSweeping) {
        return TopologyFixture.weighed(new SettingsLike(TopologyFixture.settings(OptionalLong.of(1000), 10_000))
                .recordMaxBytes(LEAST)
                .sweepEnabled(isSweeping)
                .make());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldBeTheSmallestThatCanBeSet() {
        assertThat(RecordLimits.LEAST_RECORD_MAX_BYTES).isEqualTo(LEAST);
        assertThat(recordMaxBytes(LEAST)).isEqualTo(LEAST);
        assertThatThrownBy(() -> recordMaxBytes(LEAST - 1)).hasMessageContaining("record.max.bytes");
    }

    private static int recordMaxBytes(int bytes) {
        Map<String, String> flags = Map.of("record.max.bytes", Integer.toString(bytes));
        return EbbConfig.load(new ConfigSources(null, Map.of(), new HashMap<>(flags)))
                .get(Settings.RECORD_MAX_BYTES);
    }

    @Test
    void shouldSweepEventsWithLongIds() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10_000)).build());
        IntStream.range(0, 600).forEach(i -> fixture.event(event("s", longName(i))));

        // when
        fixture.advance(12_000);
        fixture.settle();

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.audits.stream().map(AuditRecord::eventIds).flatMap(List::stream))
                .hasSize(600)
                .doesNotHaveDuplicates();
        assertThat(fixture.audits).hasSizeGreaterThan(5);
    }

    @Test
    void shouldPruneEventsWithLongIdsForALongReason() {
        // given
        IntStream.range(0, 600).forEach(i -> fixture.event(event("s", longName(i))));

        // when
        CommandResult result = fixture.carryOut(longWinded("c".repeat(255), prune("s", 0L, null)));

        // then
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(600);
        assertThat(fixture.audits.stream()
                        .mapToInt(audit -> audit.eventIds().size())
                        .sum())
                .isEqualTo(600);
        assertThat(fixture.audits)
                .allSatisfy(audit -> assertThat(audit.reason()).isEqualTo(LONG_REASON));
    }

    @Test
    void shouldSayOfASweepByHandOnlyAsMuchAsFits() {
        // given
        fixture.close();
        fixture = fixture(false);
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10_000)).build());
        IntStream.range(0, 300).forEach(i -> fixture.event(event(longName(i), "a")));
        IntStream.range(0, 2).forEach(i -> fixture.event(event("biggest", "b" + i)));
        fixture.advance(12_000);

        // when
        CommandResult result =
                fixture.carryOut(new CommandRequest("c", LONG_ACTOR, LONG_REASON, true, null, sweep(Scope.ALL)));

        // then
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(302);
        assertThat(Outcomes.swept(result).parts().biggest().get(0).stream()).isEqualTo("biggest");
        assertThat(Outcomes.swept(result).parts().biggest()).hasSizeBetween(10, 200);
        assertThat(Outcomes.swept(result).parts().biggest().size()
                        + Outcomes.swept(result).parts().leftOut())
                .isEqualTo(301);
    }

    @Test
    void shouldPurgeStreamsWithLongNamesAndParents() {
        // given
        fixture.event(event(longName(1000), "parent"));
        for (int i = 0; i < 120; i++) {
            fixture.event(event(longName(i), "a"));
            fixture.execution(child(longName(i), longName(1000), "completed"));
        }

        // when
        CommandResult result = fixture.carryOut(longWinded("c".repeat(255), purge(all(1000))));
        fixture.emptyOut();

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.outcome().deletions().streamsDeleted()).isEqualTo(121);
        assertThat(fixture.stored()).isEmpty();
    }

    @Test
    void shouldRepairRowsWithLongIds() {
        // given
        String id = "\u0001".repeat(4000);
        Instant at = Instant.ofEpochMilli(T0);
        List<RowKey> rows = Stream.concat(
                        IntStream.range(0, 5).mapToObj(i -> new RowKey(at.toString(), i + id)),
                        IntStream.range(0, 20).mapToObj(i -> new RowKey(at.toString(), longName(i))))
                .toList();

        // when
        CommandResult result =
                fixture.carryOut(longWinded("c", new Command.RepairMirror(new StreamName("s"), rows, List.of())));

        // then a list that is too big to be remembered is refused, and the rest is carried out
        assertThat(result.refusal()).isEqualTo(Refusal.BAD_COMMAND);
        for (RowKey row : rows) {
            CommandRequest one = new CommandRequest(
                    "r" + rows.indexOf(row),
                    "a",
                    "b",
                    false,
                    null,
                    new Command.RepairMirror(new StreamName("s"), List.of(row), List.of()));
            assertThat(Outcomes.repaired(fixture.carryOut(one)).rowsRemoved()).isEqualTo(1);
        }
        assertThat(fixture.repairs.stream().map(AuditRecord::eventIds).flatMap(List::stream))
                .containsExactlyElementsOf(rows.stream().map(RowKey::eventId).toList());
    }

    @Test
    void shouldRefuseACommandThatCannotBeRemembered() {
        // given a file of policies that is mostly a comment
        String file = "# " + "\"".repeat(LEAST / 2) + "\npolicies: []\n";
        Command plan = new Command.SweepNow(Scope.ALL, null, file, false);

        // when
        CommandResult result = fixture.carryOut(new CommandRequest("c", "a", "b", true, null, plan));

        // then
        assertThat(result.state()).isEqualTo(State.REFUSED);
        assertThat(result.refusal()).isEqualTo(Refusal.BAD_COMMAND);
        assertThat(result.detail()).contains("three quarters of record.max.bytes");
    }

    @Test
    void shouldNameOnlyAsManyHoldsAsFit() {
        // given
        fixture.event(event("s", "a"));
        IntStream.range(0, 300).forEach(i -> fixture.hold("\"".repeat(245) + i, Scope.ALL));
        fixture.settle();

        // when
        CommandResult result = fixture.carryOut(longWinded("c", delete("s")));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.HELD);
        assertThat(result.detail()).contains("characters)").hasSizeLessThan(4100);
        assertThat(fixture.ids("s")).containsExactly("a");
    }

    @Test
    void shouldKeepTheBeginningOfALongReasonOfAPolicy() {
        // given
        String reason = "\u0001".repeat(40_000);
        RetentionPolicy policy = RetentionPolicy.of(Scope.namespace("n".repeat(240)))
                .maxCount(Limit.of(5))
                .updatedBy(reason.substring(0, 300))
                .reason(reason)
                .build();

        // when
        fixture.policy(policy);
        fixture.settle();

        // then
        assertThat(fixture.policyChanges).singleElement().satisfies(change -> {
            assertThat(change.reason())
                    .startsWith("\u0001")
                    .endsWith("(40000 characters)")
                    .hasSizeLessThan(4200);
            assertThat(change.actor()).endsWith("(300 characters)");
        });
        assertThat(fixture.observer.rejected).isEmpty();
        assertThat(fixture.observer.failedRecords).isEmpty();
    }

    @Test
    void shouldRejectAnEventWhoseRowDoesNotFit() {
        // given
        fixture.event(event("s", "fits").payloadBytes(45_000));

        // when
        fixture.event(event("s", "over").payloadBytes(50_000));

        // then
        assertThat(fixture.ids("s")).containsExactly("fits");
        assertThat(fixture.observer.rejected).hasSize(1);
    }

    private static CommandRequest longWinded(String commandId, Command command) {
        return new CommandRequest(commandId, LONG_ACTOR, LONG_REASON, false, null, command);
    }

    /** Returns 255 bytes, each of which takes two in JSON, and four in JSON within JSON. */
    private static String longName(int number) {
        String digits = String.format("%04d", number);
        return "\"".repeat(255 - digits.length()) + digits;
    }
}
