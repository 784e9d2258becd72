package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.setTtl;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.layout.StoredEventCodec;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An event that goes by a TTL of a command is not its producer's own delete, and can be brought back (T-1). */
@Tag("T-1")
class SetTtlKeepsTheTrashTest {

    private static final String STREAM = "orders/1";
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("SetTtlByAPersonCanBeUndone")
    void setTtlByAPersonCanBeUndone(boolean hasOwnTtl) {
        // given
        fixture.event(hasOwnTtl ? event(STREAM, "a").ttlSeconds(100) : event(STREAM, "a"));
        fixture.event(event(STREAM, "b").ttlSeconds(1));

        // when a person lets one end now, and the producer the other
        fixture.carryOut(request("c-1", setTtl(STREAM, "a", 1000)));
        fixture.restart();
        fixture.advance(5000);

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(fixture.trash).hasSize(1);
        assertThat(fixture.audits)
                .filteredOn(audit -> audit.eventIds().contains("a"))
                .singleElement()
                .satisfies(audit -> assertThat(audit.undoUntilMs()).isEqualTo(audit.atMs() + DAY_MS));
        assertThat(fixture.audits)
                .filteredOn(audit -> audit.eventIds().contains("b"))
                .singleElement()
                .satisfies(audit -> assertThat(audit.undoUntilMs()).isNull());

        // when
        CommandResult undone = fixture.carryOut(request("u-1", undoOf(STREAM)));

        // then
        assertThat(undone.state()).as(undone.detail()).isEqualTo(CommandResult.State.DONE);
        assertThat(fixture.ids(STREAM)).containsExactly("a");
    }

    @Test
    void shouldKeepWhatWasToldToFollowThePolicy() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5000)).build());
        fixture.event(event(STREAM, "first").ttlSeconds(100));
        fixture.advance(6000);
        proveThePolicy();
        int before = fixture.trash.size();

        // when a person takes the longer TTL of the producer away
        fixture.event(event(STREAM, "plain"));
        fixture.event(event(STREAM, "second").ttlSeconds(100));
        fixture.carryOut(request("c-1", setTtl(STREAM, "second", OwnTtl.NONE)));
        fixture.carryOut(request("c-2", setTtl(STREAM, "plain", OwnTtl.NONE)));
        fixture.advance(6000);

        // then the event without a TTL went by the policy as it would have anyway
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(fixture.trash).hasSize(before + 1);
    }

    /** Waits until deletes by the policy are final. */
    private void proveThePolicy() {
        fixture.event(event(STREAM, "proof"));
        fixture.advance(6000);
        fixture.advance(2 * DAY_MS);
        fixture.settle();
    }

    @Test
    void shouldLeaveTheTtlToItsProducerOnceThatSetsItAgain() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", setTtl(STREAM, "a", 100_000)));

        // when
        fixture.event(event(STREAM, "a").ttlSeconds(1));
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
        fixture.carryOut(request("c-1", setTtl(STREAM, "a", 1000)));
        fixture.advance(5000);

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(fixture.trash).isEmpty();
    }

    @Test
    @Tag("T-5")
    void shouldWaitForATrashThatTakesNothingAndLetOtherNamespacesGo() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event("bills/1", "b").ttlSeconds(1));
        fixture.carryOut(request("c-1", setTtl(STREAM, "a", 1000)));

        // when
        fixture.failed.trashRefused();
        fixture.restart();
        fixture.advance(3000);

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("a");
        assertThat(fixture.ids("bills/1")).isEmpty();

        // when
        fixture.advance(Duration.ofMinutes(10).toMillis());
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(fixture.trash).hasSize(1);
    }

    /** Otherwise a namespace would wait for ever because of one event that went long ago. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("T-5")
    void shouldLetANamespaceGoOnceTheLastSuchEventIsFinal(boolean isFinal) {
        // given an event that went by the TTL of a command, and may come back for a day
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", setTtl(STREAM, "a", 1000)));
        fixture.advance(5000);
        fixture.settle();
        assertThat(fixture.ids(STREAM)).isEmpty();
        fixture.advance(isFinal ? 2 * DAY_MS : DAY_MS / 2);
        fixture.settle();
        fixture.advance(2 * DAY_MS / 24);
        fixture.event(event("orders/2", "b").ttlSeconds(1));

        // when
        fixture.failed.trashRefused();
        fixture.restart();
        fixture.advance(3000);

        // then
        assertThat(fixture.ids("orders/2")).hasSize(isFinal ? 0 : 1);
    }

    /** The mark of a command lies in bits that no other event uses together. */
    @Test
    void shouldCostEventsNothing() {
        var plain = event(STREAM, "a").ttl(OwnTtl.of(null, 77L, false)).stored(1);
        var set =
                event(STREAM, "a").ttl(OwnTtl.of(null, 77L, false).byCommand()).stored(1);

        assertThat(StoredEventCodec.encode(set, set.sizeBytes()))
                .hasSameSizeAs(StoredEventCodec.encode(plain, plain.sizeBytes()));
    }

    private static Command undoOf(String stream) {
        return new Command.UndoDeletes(
                new UndoFilter(null, null, null, null, 31_536_000_000L, null, null, new StreamName(stream)), null);
    }
}
