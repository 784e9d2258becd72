package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.source.SourcePlace;
import dev.ebb.store.events.LogPlaces;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A look at the start of a log costs the same, however many events of it are stored. */
@Tag("F-8")
class LogPlacesTest {

    private static final String TOPIC_ID = "id-1";
    private static final int PARTITIONS = 3;
    private static final int MOST_STEPS = 6;

    private final StoreFixture fixture = new StoreFixture();

    @ParameterizedTest
    @ValueSource(ints = {3, 30_000})
    void shouldNotWalkOverWhatIsStored(int events) {
        // given
        for (int i = 0; i < events; i++) {
            store(i % PARTITIONS, i / PARTITIONS);
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(first(partition)).isZero();
        }

        // when
        fixture.events.resetCounts();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(first(partition)).isZero();
        }

        // then
        assertThat(fixture.events.operations()).isLessThanOrEqualTo((long) PARTITIONS * MOST_STEPS);
    }

    private long first(int partition) {
        LogPlaces.First first = fixture.store.logPlaces().first(TOPIC_ID, partition);
        return Objects.requireNonNull(first).offset();
    }

    private void store(int partition, long offset) {
        SourcePlace place = new SourcePlace("payments", TOPIC_ID, partition, offset, new byte[0]);
        fixture.event(event("payments/" + offset % 100, partition + "-" + offset)
                .completedAt(T0)
                .metadata(Map.of(SourcePlace.METADATA, place.text())));
    }
}
