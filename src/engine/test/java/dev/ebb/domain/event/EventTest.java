package dev.ebb.domain.event;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.model.EventBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventTest {

    /** One change of each field. */
    static Stream<Arguments> changes() {
        return Stream.of(
                change("type", e -> e.type("u")),
                change("status", e -> e.status("failed")),
                change("occurredAt", e -> e.occurredAt(3L)),
                change("completedAt", e -> e.completedAt(4L)),
                change("ttl", e -> e.ttlSeconds(6)),
                change("execution", e -> e.execution(7)),
                change("correlationId", e -> e.correlationId("d")),
                change("metadata", e -> e.metadata(Map.of("k", "w"))),
                change("contentType", e -> e.contentType("text/html")),
                change("payload", e -> e.payload(new byte[] {8})));
    }

    private static Arguments change(String field, UnaryOperator<EventBuilder> change) {
        return Arguments.of(field, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void shouldDifferInEachField(String field, UnaryOperator<EventBuilder> change) {
        assertThat(change.apply(full("s", "e")).build())
                .as(field)
                .isNotEqualTo(full("s", "e").build());
    }

    @Test
    void shouldDifferInStreamAndId() {
        Event event = full("s", "e").build();

        assertThat(event).isNotEqualTo(full("t", "e").build());
        assertThat(event).isNotEqualTo(full("s", "f").build());
    }

    /** As many comparisons as names, or a few times more, and not their square: 200 million here. */
    @Test
    @Tag("O-20")
    void shouldCostNoMoreForNamesWithTheSameHash() {
        // given
        Map<CountedName, String> names = new LinkedHashMap<>();
        IntStream.range(0, 20_000).forEach(i -> names.put(new CountedName(i), ""));
        CountedName.comparisons = 0;

        // when
        Event event = event("s", "e").metadata(asTexts(names)).build();
        EventUpdate update = new EventUpdate(event.stream(), event.id(), null, null, null, asTexts(names));

        // then
        assertThat(event.metadata()).hasSize(20_000);
        assertThat(update.metadata()).hasSize(20_000);
        assertThat(CountedName.comparisons).isLessThan(4 * 40 * 20_000);
    }

    @SuppressWarnings("unchecked") // the names are not looked at as texts
    private static Map<String, String> asTexts(Map<?, String> names) {
        return (Map<String, String>) names;
    }

    /** A name whose hash is that of all others. */
    private record CountedName(int number) implements Comparable<CountedName> {

        private static long comparisons;

        @Override
        public int compareTo(CountedName other) {
            comparisons++;
            return Integer.compare(number, other.number);
        }

        @Override
        public boolean equals(Object other) {
            comparisons++;
            return other instanceof CountedName that && number == that.number;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void shouldEqualAnEventOfTheSameContent() {
        assertThat(full("s", "e").build())
                .isEqualTo(full("s", "e").build())
                .hasSameHashCodeAs(full("s", "e").build());
    }

    @ParameterizedTest
    @MethodSource("anchors")
    void shouldReadTheWordOfEachAnchorInAnyCase(String word, Anchor anchor) {
        assertThat(Anchor.parse(word)).contains(anchor);
        assertThat(anchor.text()).isEqualToIgnoringCase(word).isLowerCase();
    }

    static Stream<Arguments> anchors() {
        return Stream.of(
                Arguments.of("stored", Anchor.STORED),
                Arguments.of("OCCURRED", Anchor.OCCURRED),
                Arguments.of("Completed", Anchor.COMPLETED));
    }

    @Test
    void shouldKnowNoAnchorOfAnotherWord() {
        assertThat(Anchor.parse("store")).isEmpty();
        assertThat(Anchor.parse("")).isEmpty();
    }

    @Test
    void shouldSizeAStoredEventLikeTheEvent() {
        StoredEvent stored = full("s", "e").stored(5);

        assertThat(stored.sizeBytes()).isEqualTo(stored.event().sizeBytes()).isPositive();
    }

    /** M-3: a completion is exactly what a protected event does not have. */
    @Test
    @Tag("M-3")
    void shouldStoreACompletionExactlyIfItIsNotProtected() {
        // given
        Event completed = event("s", "e").occurredAt(1L).completedAt(1L).build();
        Event open = event("s", "e").occurredAt(1L).build();

        // then
        assertThat(new StoredEvent(completed, 1, 0, false).isProtected()).isFalse();
        assertThat(new StoredEvent(open, 1, 0, true).isProtected()).isTrue();
        assertThatThrownBy(() -> new StoredEvent(completed, 1, 0, true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StoredEvent(open, 1, 0, false)).isInstanceOf(IllegalArgumentException.class);
    }

    private static EventBuilder full(String stream, String id) {
        return event(stream, id)
                .type("t")
                .status("completed")
                .occurredAt(1L)
                .completedAt(2L)
                .ttlSeconds(5)
                .execution(6)
                .correlationId("c")
                .metadata(Map.of("k", "v"))
                .contentType("text/plain")
                .payload(new byte[] {7});
    }
}
