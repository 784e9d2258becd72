package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.child;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.events.RemovedExecution;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.trash.DeletionHeaders;
import dev.ebb.topology.trash.TrashKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deletes that can be undone are kept whole in their transaction, all others not at all (T-1, T-5). */
@Tag("T-1")
class TrashTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long DAY_MS = 24 * HOUR_MS;
    private static final String STREAM = "orders/1";
    private static final StreamName NAME = new StreamName(STREAM);

    private TopologyFixture fixture = TopologyFixture.inMemory();
    private int beforehand;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @Tag("T-5")
    void shouldKeepAnEventAsItWasStored() {
        // given
        fixture.event(event(STREAM, "a").payload(new byte[] {1, 2, 3}));
        fixture.event(event(STREAM, "b").status("running"));
        List<StoredEvent> before = fixture.stored(NAME);

        // when
        String commandId = carriedOut(deleteForced(STREAM));

        // then
        assertThat(keys())
                .containsExactlyInAnyOrder(
                        TrashKey.ofEvent(NAME, before.get(0).storedAt(), "a"),
                        TrashKey.ofEvent(NAME, before.get(1).storedAt(), "b"));
        assertThat(fixture.trash)
                .extracting(record -> StoredEventCodec.decode(NAME, record.value()))
                .containsExactlyInAnyOrderElementsOf(before);
        assertThat(deletions()).allSatisfy(deletion -> {
            assertThat(deletion.cause()).isEqualTo(RemovalCause.DELETE);
            assertThat(deletion.commandId()).isEqualTo(commandId);
            assertThat(deletion.untilMs()).isEqualTo(deletion.deletedAtMs() + DAY_MS);
        });
    }

    @Test
    void shouldKeepExecutionsWithTheirParent() {
        // given
        fixture.execution(child(STREAM, "parent", "completed"));
        fixture.execution(execution(STREAM, 1, "completed"));
        fixture.event(event(STREAM, "a").execution(1));

        // when
        carriedOut(delete(STREAM));

        // then
        assertThat(fixture.trash)
                .filteredOn(record -> TrashKey.decode(record.key()).kind() == TrashKey.Kind.EXECUTION)
                .extracting(record ->
                        RemovedExecution.decode(TrashKey.decode(record.key()).number(), record.value()))
                .allSatisfy(kept -> assertThat(kept.parent()).isEqualTo(new StreamName("parent")))
                .extracting(RemovedExecution::execution)
                .extracting(Execution::number, Execution::status)
                .contains(tuple(1L, "completed"))
                .doesNotHaveDuplicates();
    }

    /** One millisecond before, at, and after the end of the time in which the policy is new. */
    @ParameterizedTest
    @CsvSource({"-1, true", "0, false", "1, false"})
    @DisplayName("SettledPolicyCostsNoTrash")
    void settledPolicyCostsNoTrash(long ms, boolean isKept) {
        // given a policy whose second delete comes that long after the first hour since its first one
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxCount(Limit.of(1))
                .set(PolicyField.UNDO, Limit.of(HOUR_MS))
                .build());
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));
        fixture.advance(1000);
        long deletedMs = fixture.audits.get(0).atMs() + HOUR_MS + ms;
        fixture.advance(deletedMs - 1000 - fixture.nowMs());
        beforehand = fixture.trash.size();

        // when
        fixture.event(event(STREAM, "c"));
        fixture.advance(1000);

        // then
        assertThat(fixture.audits).last().satisfies(audit -> assertThat(audit.atMs())
                .isEqualTo(deletedMs));
        assertThat(fixture.ids(STREAM)).containsExactly("c");
        assertThat(trash()).hasSize(isKept ? 1 : 0);
    }

    /** A policy that is no longer new would take an event of the stream, but for a hold. */
    private void holdWhatIsOverAProvedCap() {
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        proveCapOf("orders/3");
        fixture.hold("case-1", Scope.stream(STREAM));
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));
        fixture.advance(2 * DAY_MS);
    }

    /** The cap of one event takes one of the stream, and the time in which that can be undone passes. */
    private void proveCapOf(String stream) {
        fixture.event(event(stream, "former-1"));
        fixture.event(event(stream, "former-2"));
        fixture.settle();
        fixture.advance(2 * DAY_MS);
        beforehand = fixture.trash.size();
    }

    @Test
    void shouldKeepWhatAReleasedHoldLetsGo() {
        // given
        holdWhatIsOverAProvedCap();

        // when
        fixture.release("case-1");
        fixture.settle();
        fixture.event(event("orders/2", "a"));
        fixture.event(event("orders/2", "b"));
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertThat(keys()).extracting(key -> key.stream().value()).containsExactly(STREAM);
        assertThat(deletions()).extracting(Deletion::change).first().asString().startsWith("hold:case-1@");
    }

    @Test
    void shouldNotTakeAPolicyThatIsSentAgainForANewOne() {
        // given
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build();
        fixture.policy(policy);
        proveCapOf(STREAM);

        // when
        fixture.policy(policy.toBuilder().reason("once more").build());
        fixture.event(event(STREAM, "b"));
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertThat(trash()).isEmpty();
    }

    /** Reports delete nothing, so nothing has become due by a change of them. */
    @Test
    void shouldNotTakeAPolicyForNewThatOnlyReportsOtherwise() {
        // given
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build();
        fixture.policy(policy);
        proveCapOf(STREAM);

        // when
        fixture.policy(policy.toBuilder()
                .set(PolicyField.WARN_BEFORE, Limit.of(HOUR_MS))
                .set(PolicyField.ARCHIVE, true)
                .set(PolicyField.UNDO, Limit.of(2 * HOUR_MS))
                .build());
        fixture.event(event(STREAM, "b"));
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertThat(trash()).isEmpty();
    }

    /** The record of a hold is compacted away before that of its release, and an instance starts (M-9). */
    @Test
    void shouldKnowAReleaseOfWhichTheHoldIsCompactedAway() {
        // given
        holdWhatIsOverAProvedCap();

        // when
        fixture.release("case-1");
        fixture.compactPolicies();
        fixture.restart();
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertThat(deletions())
                .extracting(Deletion::change)
                .singleElement()
                .asString()
                .startsWith("hold:case-1@");
    }

    /** All instances must name a change alike, whenever they have started. */
    @Test
    void shouldNameAChangeAsBeforeWhenItsRecordWasSentAgain() {
        // given a policy that was sent again with another reason
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build();
        fixture.policy(policy);
        String change = fixture.policies().changesOn(NAME).get(0).toString();
        fixture.policy(policy.toBuilder().reason("once more").build());
        fixture.event(event(STREAM, "a"));

        // when
        fixture.compactPolicies();
        fixture.restart();
        fixture.event(event(STREAM, "b"));
        fixture.settle();

        // then
        assertThat(deletions()).extracting(Deletion::change).containsExactly(change);
    }

    @Test
    void shouldKeepNoEventThatEndedByItsOwnTtl() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(HOUR_MS)).build());
        fixture.event(event(STREAM, "a").ttl(OwnTtl.of(1L, null, false)));

        // when
        fixture.advance(5000);

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(fixture.trash).isEmpty();
    }

    @Test
    void shouldKeepNothingWhereThePolicySaysNone() {
        // given
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).set(PolicyField.UNDO, Limit.NONE).build());
        fixture.event(event(STREAM, "a"));

        // when
        carriedOut(delete(STREAM));

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(fixture.trash).isEmpty();
    }

    @Test
    void shouldKeepNothingForLongerThanTheSettings() {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory(new SettingsLike(TopologyFixture.settings(OptionalLong.of(1), 10))
                .undoMax(Duration.ofHours(1))
                .make());
        fixture.event(event(STREAM, "a"));

        // when
        carriedOut(delete(STREAM));

        // then
        assertThat(deletions()).singleElement().satisfies(deletion -> assertThat(
                        deletion.untilMs() - deletion.deletedAtMs())
                .isEqualTo(HOUR_MS));
    }

    /** The status counts in the transaction of the delete, and knows after a crash what it knew (T-5). */
    @Test
    @Tag("T-5")
    void shouldTellWhatWaitsAndUntilWhen() {
        // given
        fixture.event(event(STREAM, "a").payload(new byte[100]));
        fixture.event(event(STREAM, "b"));
        fixture.event(event("mail/1", "a"));
        long bytes =
                fixture.stored(NAME).stream().mapToLong(StoredEvent::sizeBytes).sum();

        // when
        String commandId = carriedOut(delete(STREAM));
        fixture.restart();
        fixture.settle();

        // then
        assertThat(fixture.status().trash()).singleElement().satisfies(sum -> {
            assertThat(sum.reason().commandId()).isEqualTo(commandId);
            assertThat(sum.namespace()).isEqualTo("orders");
            assertThat(sum.events()).isEqualTo(2);
            assertThat(sum.bytes()).isEqualTo(bytes);
            assertThat(sum.untilMs()).isEqualTo(sum.lastMs() + DAY_MS);
        });
        fixture.advance(DAY_MS + 1000);
        assertThat(fixture.status().trash()).isEmpty();
    }

    /** What came back or was erased waits no longer. */
    @Test
    @Tag("T-5")
    void shouldTakeOffWhatIsBackOrErased() {
        // given
        fixture.event(event(STREAM, "a").metadata(Map.of("user", "42")));
        fixture.event(event(STREAM, "b"));
        String commandId = carriedOut(delete(STREAM));
        assertThat(fixture.status().trash()).extracting(TrashSum::events).containsExactly(2L);

        // when
        fixture.carryOut(request(
                "erase-1",
                new Command.EraseEvents(List.of(EventCondition.parse("metadata.user=42")), null, "case", false)));
        fixture.settle();
        List<TrashSum> afterErase = fixture.status().trash();
        UndoFilter filter = new UndoFilter(commandId, null, null, null, null, null, null, null);
        fixture.carryOut(request("undo-1", new Command.UndoDeletes(filter, null)));
        fixture.settle();

        // then
        assertThat(afterErase).extracting(TrashSum::events).containsExactly(1L);
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertThat(fixture.status().trash()).isEmpty();
    }

    /** Carries the command out and empties what it has deleted; returns its id. */
    private String carriedOut(Command command) {
        fixture.carryOut(request("command-1", command));
        fixture.emptyOut();
        return "command-1";
    }

    private List<TrashKey> keys() {
        return trash().map(record -> TrashKey.decode(record.key()).name()).toList();
    }

    private List<Deletion> deletions() {
        return trash().map(record -> DeletionHeaders.read(record.headers())).toList();
    }

    /** Returns the records of the trash since the policies have proved themselves. */
    private Stream<TestRecord<byte[], byte[]>> trash() {
        return fixture.trash.stream().skip(beforehand);
    }
}
