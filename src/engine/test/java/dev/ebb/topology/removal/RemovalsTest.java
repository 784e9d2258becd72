package dev.ebb.topology.removal;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.Policies;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.events.Found;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.TestRecords;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.receipt.TestTree;
import dev.ebb.topology.source.SourceTargets;
import dev.ebb.topology.trash.TestBook;
import dev.ebb.topology.trash.TestTerms;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.RecordLimits;
import java.io.File;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each removal names the cause and the rule by which it was decided, whatever came before it. */
@Tag("I-5")
class RemovalsTest {

    private final StoreFixture fixture = new StoreFixture();
    private final MockProcessorContext<Addressed, byte[]> kafka =
            new MockProcessorContext<>(new Properties(), new TaskId(0, 1), new File("unused"));
    private final Outbox outbox = new Outbox(
            kafka,
            new TestRecords(),
            new MirrorRows(),
            new RecordLimits(1 << 20),
            TestTree.empty(),
            new SourceTargets(),
            TestTerms.NONE,
            TestBook.empty());
    private final Removals removals =
            new Removals(outbox, new RetentionObserver() {}, Origin.ofSweep("sweep-1"), "sweep-1");

    @Test
    void shouldNameTheRuleOfEachRemoval() {
        // given
        PolicySet policies = Policies.setOf(
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(5)).build(),
                RetentionPolicy.of(Scope.stream("b")).maxCount(Limit.of(5)).build());

        // when
        remove("a", RemovalCause.MAX_COUNT, policies, 1);
        remove("b", RemovalCause.MAX_COUNT, policies, 1);
        remove("b", RemovalCause.TTL, policies, 1);
        remove("b", RemovalCause.TTL, policies, 2);
        remove("b", RemovalCause.TTL, policies, 2);
        remove("a", RemovalCause.MAX_COUNT, policies, 2);

        // then
        assertThat(reasons())
                .containsExactly(
                        "MAX_COUNT * 0",
                        "MAX_COUNT stream:b 1",
                        "TTL event 1",
                        "TTL event 2",
                        "TTL event 2",
                        "MAX_COUNT * 0");
    }

    private void remove(String name, RemovalCause cause, PolicySet policies, long version) {
        fixture.event(event(name, "e"));
        StreamState stream = Objects.requireNonNull(fixture.store.stream(new StreamName(name)));
        Found found = Objects.requireNonNull(fixture.store.find(stream, new EventId("e")));
        fixture.store.remove(
                found, cause, removed -> removals.removed(removed, policies.effective(stream.stream()), version, T0));
    }

    /** Cause, scope and version of each tombstone. */
    private List<String> reasons() {
        return kafka.forwarded(Nodes.MIRROR_SINK).stream()
                .map(forward -> forward.record().headers())
                .map(headers -> EbbHeaders.text(headers, EbbHeaders.CAUSE) + " "
                        + EbbHeaders.text(headers, EbbHeaders.SCOPE) + " "
                        + EbbHeaders.number(headers, EbbHeaders.POLICY_VERSION, -9))
                .toList();
    }
}
