package dev.ebb.bench.stack.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.Contents;
import dev.ebb.domain.event.Event;
import dev.ebb.topology.wire.StreamPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves that all write the same rows. */
class MirrorChangesTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveTheNewestRowsOfTheMirror(boolean inRuns) {
        // given
        MirrorChanges changes = new MirrorChanges(1, 1000, 4, inRuns);
        Map<String, Event> rows = new HashMap<>();

        // when
        changes.all().forEach(change -> {
            Event event = change.event().event();
            if (change.isDelete()) {
                assertThat(rows.remove(event.id().value())).isNotNull();
            } else {
                rows.put(event.id().value(), event);
            }
        });

        // then
        assertThat(rows.values().stream().map(Contents::of).reduce(Contents.NONE, Contents::plus))
                .isEqualTo(changes.left().contents());
        assertThat(changes.all()).filteredOn(MirrorChanges.Change::isDelete).hasSize(250);
    }

    @Test
    void shouldDivideTheRowsOfTheMirrorByPartitionAndKeepTheirOrder() {
        // given
        MirrorChanges changes = new MirrorChanges(1, 1000, 4, false);

        // when
        List<List<MirrorChanges.Change>> parts = changes.parts(2);

        // then
        assertThat(parts).hasSize(2);
        for (int part = 0; part < 2; part++) {
            int first = 2 * part;
            assertThat(parts.get(part).stream().map(MirrorChangesTest::text))
                    .containsExactlyElementsOf(changes.all().stream()
                            .filter(change -> partition(change) == first || partition(change) == first + 1)
                            .map(MirrorChangesTest::text)
                            .toList())
                    .isNotEmpty();
        }
    }

    private static String text(MirrorChanges.Change change) {
        return change.event().event().id() + (change.isDelete() ? " goes" : " comes");
    }

    private static int partition(MirrorChanges.Change change) {
        return StreamPartition.of(change.event().event().stream(), 4);
    }
}
