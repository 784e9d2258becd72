package dev.ebb.domain.erase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.source.Source;
import dev.ebb.serde.text.SourceJson;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Topics of other applications that an erasure names. */
@Tag("F-9")
class SourcePlacesTest {

    private static final long ERASED_MS = 1_000_000;

    private static final TopicSettings COMPACTED = TopicSettings.of(
            Map.of("cleanup.policy", "compact", "max.compaction.lag.ms", "60000", "delete.retention.ms", "30000"));

    private static final TopicSettings UNBOUNDED =
            TopicSettings.of(Map.of("cleanup.policy", "compact", "delete.retention.ms", "86400000"));

    @Test
    void shouldNameTheTopicOfTombstonesWithItsCompaction() {
        // when
        List<RemainingPlace> places = places(source("{\"tombstones\": \"same\"}"), Map.of("shop.orders", COMPACTED));

        // then
        assertThat(places).singleElement().satisfies(place -> {
            assertThat(place.name()).isEqualTo("shop.orders");
            assertThat(place.content()).isEqualTo("rows of source 'orders'");
            assertThat(place.setting()).startsWith("max.compaction.lag.ms=1m + delete.retention.ms=30s");
            assertThat(place.untilMs()).isEqualTo(ERASED_MS + 60_000 + 30_000 + 300_000);
        });
    }

    @Test
    void shouldSayThatNothingBoundsATopicWithoutACompactionLag() {
        assertThat(places(source("{\"tombstones\": \"same\"}"), Map.of("shop.orders", UNBOUNDED)))
                .singleElement()
                .satisfies(place -> {
                    assertThat(place.untilMs()).isNull();
                    assertThat(place.setting()).contains("max.compaction.lag.ms=unlimited");
                });
    }

    @Test
    void shouldNotPromiseADeleteWhereNoTombstoneGoes() {
        assertThat(places(source("\"none\""), Map.of("shop.orders", COMPACTED)))
                .singleElement()
                .satisfies(place -> {
                    assertThat(place.content())
                            .isEqualTo("records of source 'orders', to which Ebb sends no tombstones");
                    assertThat(place.untilMs()).isNull();
                    assertThat(place.setting())
                            .isEqualTo("none: cleanup.policy is without delete, so a record stays until its producer"
                                    + " writes a newer one of its key, or a null value");
                });
    }

    @Test
    void shouldNameBothTopicsIfTombstonesGoToAnother() {
        // given
        Source source = source("{\"tombstones\": {\"topic\": \"shop.gone\"}}");

        // then
        assertThat(SourcePlaces.topics(List.of(source))).containsExactly("shop.gone", "shop.orders");
        assertThat(places(source, Map.of("shop.gone", COMPACTED)))
                .extracting(RemainingPlace::name, RemainingPlace::untilMs)
                .containsExactly(tuple("shop.orders", null), tuple("shop.gone", ERASED_MS + 390_000));
        assertThat(places(source, Map.of()).get(0).setting()).startsWith("not known");
    }

    @Test
    void shouldNotNameATopicThatDoesNotExist() {
        assertThat(SourcePlaces.of(List.of(source("\"none\"")), Map.of(), Set.of("shop.orders"), ERASED_MS))
                .isEmpty();
    }

    /** Records of other namespaces had no part in the erasure. */
    @Test
    void shouldNameOnlySourcesOfTheNamespaceOfTheErasure() {
        // given
        List<Source> all = List.of(source("\"none\""));

        // then
        assertThat(SourcePlaces.sources(all, "")).isEqualTo(all);
        assertThat(SourcePlaces.sources(all, "orders")).isEqualTo(all);
        assertThat(SourcePlaces.sources(all, "customers")).isEmpty();
    }

    private static List<RemainingPlace> places(Source source, Map<String, TopicSettings> settings) {
        return SourcePlaces.of(List.of(source), settings, Set.of(), ERASED_MS);
    }

    private static Source source(String target) {
        return SourceJson.read(("{\"name\": \"orders\", \"topic\": \"shop.orders\", \"as\": \"table\","
                                + " \"stream\": \"orders/{key}\", \"target\": " + target + "}")
                        .getBytes(UTF_8))
                .source()
                .orElseThrow();
    }
}
