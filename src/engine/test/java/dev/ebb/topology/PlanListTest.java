package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.planned;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The size of the list of a plan; {@code -Dplan.events=N} has more events, and tells how long that takes. */
@Tag("T-6")
class PlanListTest {

    private static final int STREAMS = 100;

    /** Of {@code event-00000000}. */
    private static final int ID_BYTES = 14;

    @Test
    void shouldTakeAboutTheBytesOfTheIds() {
        // given events that are due, and that no sweep comes to by itself
        int events = Integer.getInteger("plan.events", 5000);
        try (TopologyFixture fixture =
                TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.empty(), 10_000))) {
            fixture.policy(RetentionPolicy.of(Scope.ALL)
                    .maxAge(Limit.of(1))
                    .set(PolicyField.WINDOW, SweepWindow.parse("12:00-12:01 UTC"))
                    .build());
            for (int i = 0; i < events; i++) {
                fixture.event(event("stream/" + i % STREAMS, "event-%08d".formatted(i)));
            }
            fixture.advance(1000);
            long before = stored(fixture);
            Command sweep = CommandFixture.sweep(Scope.ALL);

            // when
            long begunNanos = System.nanoTime();
            CommandResult dry = fixture.carryOut(dryRun("p-1", sweep));
            long listedNanos = System.nanoTime();
            long bytes = stored(fixture) - before;
            CommandResult done = fixture.carryOut(planned("p-1", "c-1", sweep));
            long doneNanos = System.nanoTime();

            // then
            System.out.println("plan of " + events + " events: " + bytes / events + " bytes an event, listed in "
                    + TimeUnit.NANOSECONDS.toMillis(listedNanos - begunNanos) + " ms, carried out in "
                    + TimeUnit.NANOSECONDS.toMillis(doneNanos - listedNanos) + " ms");
            assertThat(Objects.requireNonNull(dry.plan()).events()).isEqualTo(events);
            assertThat(Objects.requireNonNull(done.plan()).exact()).isTrue();
            assertThat(bytes / events).isBetween((long) ID_BYTES, 3L * ID_BYTES);
        }
    }

    private static long stored(TopologyFixture fixture) {
        return List.of(fixture.rawEvents(), fixture.rawUsage()).stream()
                .mapToLong(PlanListTest::bytes)
                .sum();
    }

    private static long bytes(KeyValueStore<Bytes, byte[]> store) {
        long sum = 0;
        try (KeyValueIterator<Bytes, byte[]> entries = store.all()) {
            while (entries.hasNext()) {
                var entry = entries.next();
                sum += entry.key.get().length + entry.value.length;
            }
        }
        return sum;
    }
}
