package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.rocks.InMemoryStores;
import dev.ebb.topology.TopologyFixture.RecordingObserver;
import dev.ebb.topology.TopologyFixture.TestCatchUp;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.observe.ClockWatch;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.PolicyViews;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.trash.TrashSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writes left for the commit are part of that commit. */
@Tag("A-4")
class CommitSignalTest {

    @Test
    void shouldPutIntoTheCommitWhatABurstHasLeftForIt() {
        try (TopologyFixture fixture = TopologyFixture.inMemory()) {
            // given
            fixture.event(event("a/1", "new"));
            fixture.event(event("a/1", "first"));

            // when
            fixture.event(event("a/1", "in the same millisecond"));
            fixture.event(event("b/1", "of another stream"));
            fixture.event(event("b/1", "in the same millisecond, too").execution(5));

            // then
            fixture.restart();
            assertThat(StoreCheck.problems(
                            fixture.rawEvents().all(), fixture.rawUsage().all()))
                    .isEmpty();
            assertThat(events(fixture, "a/1")).isEqualTo(3);
            assertThat(events(fixture, "b/1")).isEqualTo(2);
        }
    }

    /** The driver empties the caches twice, so it cannot show what Kafka Streams would do in the wrong order. */
    @Test
    void shouldBeOpenedBeforeTheStoreWhoseChangesAreSentAfterIt() {
        // given
        TopologySettings settings = TopologyFixture.settings(OptionalLong.of(1), 10_000);
        TestRecords records = new TestRecords();
        PolicyViews views = new PolicyViews(settings.builtIn(), records);
        TopologyParts parts = new TopologyParts(
                records,
                records,
                new MirrorRows(),
                views,
                new TestCatchUp(),
                ClockWatch.SANE,
                Copies.NONE,
                TrashSource.NONE,
                NoteSigner.NONE,
                new AcceptedSources(),
                new RecordingObserver());
        List<Boolean> wasOpen = new ArrayList<>();
        List<RetentionTopology> topology = new ArrayList<>();
        topology.add(new RetentionTopology(TopologyFixture.TOPICS, settings, parts, new FailedRecords(), name -> {
            return name.equals(StoreNames.EVENTS)
                    ? InMemoryStores.supplier(
                            name,
                            EventStore.indexes(),
                            task -> wasOpen.add(topology.get(0).signal.isOpen(task)))
                    : TopologyFixture.storeInMemory(name);
        }));
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "order-of-stores");

        // when
        new TopologyTestDriver(topology.get(0).build(), config).close();

        // then
        assertThat(wasOpen).containsExactly(true);
    }

    private static long events(TopologyFixture fixture, String stream) {
        return fixture.reader().usage(new StreamName(stream)).orElseThrow().events();
    }
}
