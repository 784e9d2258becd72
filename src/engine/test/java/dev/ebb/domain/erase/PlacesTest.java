package dev.ebb.domain.erase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T-11")
class PlacesTest {

    private static final long ERASED = 1000;

    /** The broker looks every five minutes, and keeps deleted files for a minute. */
    private static final long BROKER = 360_000;

    private static final String BROKER_TEXT = " + 6m of the broker";

    @Test
    void shouldCountAgeAndTheTimeOfASegmentWhereAgeDeletes() {
        RemainingPlace place = topic("delete", 50, 7, 1, 1);

        assertThat(place.untilMs()).isEqualTo(ERASED + 57 + BROKER);
        assertThat(place.setting()).isEqualTo("retention.ms=50ms + segment.ms=7ms" + BROKER_TEXT);
    }

    @Test
    void shouldCountCompactionAndTombstonesWhereKeysReplace() {
        RemainingPlace place = topic("compact", 1, 1, 50, 7);

        assertThat(place.untilMs()).isEqualTo(ERASED + 57 + BROKER);
        assertThat(place.setting())
                .startsWith("max.compaction.lag.ms=50ms + delete.retention.ms=7ms" + BROKER_TEXT)
                .contains("if later records come");
    }

    @Test
    void shouldCountTheSoonerOfBoth() {
        assertThat(topic("compact,delete", 50, 7, 50, 8).untilMs()).isEqualTo(ERASED + 57 + BROKER);
        assertThat(topic("compact,delete", 50, 7, 50, 7).setting()).startsWith("max.compaction.lag.ms");
        assertThat(topic("compact,delete", 50, 7, 50, 6).untilMs()).isEqualTo(ERASED + 56 + BROKER);
    }

    @Test
    void shouldNameTheSettingThatWouldBoundAPlaceWithoutABound() {
        RemainingPlace log = topic("delete", -1, 7, 1, 1);
        RemainingPlace table = topic("compact", 1, 1, Long.MAX_VALUE, 7);

        assertThat(log.untilMs()).isNull();
        assertThat(log.setting()).startsWith("retention.ms=unlimited");
        assertThat(table.untilMs()).isNull();
        assertThat(table.setting()).startsWith("max.compaction.lag.ms=unlimited");
        assertThat(log.isClean(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void shouldBeCleanAfterItsBoundAndNotBefore() {
        RemainingPlace place = topic("delete", 50, 7, 1, 1);

        assertThat(place.isClean(ERASED + BROKER + 56)).isFalse();
        assertThat(place.isClean(ERASED + BROKER + 57)).isFalse();
        assertThat(place.isClean(ERASED + BROKER + 58)).isTrue();
    }

    @Test
    void shouldReadTheSettingsOfABroker() {
        TopicSettings settings = TopicSettings.of(Map.of(
                "cleanup.policy", "compact",
                "retention.ms", "-1",
                "max.compaction.lag.ms", "3",
                "delete.retention.ms", "4",
                "file.delete.delay.ms", "5"));

        assertThat(settings).isEqualTo(new TopicSettings("compact", -1, Long.MAX_VALUE, 3, 4, 5, Long.MAX_VALUE));
    }

    @Test
    void shouldListTopicsThatAreThereAndAllPlacesThatNoSettingBounds() {
        // given
        TopicSettings week = new TopicSettings("delete", 7, 0, 0, 0, 60_000, Long.MAX_VALUE);
        var topics = new Places.Topics(List.of("events", "missing"), List.of("audit"), List.of("commands"));

        // when
        List<RemainingPlace> places =
                Places.of(topics, Map.of("events", week, "audit", week, "commands", week), EraseRest.NOTHING, ERASED);

        // then
        assertThat(places)
                .startsWith(
                        new RemainingPlace(
                                "events",
                                "whole events",
                                ERASED + 7 + BROKER,
                                "retention.ms=7ms + segment.ms=0ms" + BROKER_TEXT),
                        new RemainingPlace(
                                "audit",
                                "names of streams and ids of events",
                                ERASED + 7 + BROKER,
                                "retention.ms=7ms + segment.ms=0ms" + BROKER_TEXT),
                        new RemainingPlace(
                                "commands",
                                "the conditions of the erasure",
                                ERASED + 7 + BROKER,
                                "retention.ms=7ms + segment.ms=0ms" + BROKER_TEXT));
        assertThat(places.subList(3, places.size()))
                .hasSize(9)
                .allMatch(place -> place.untilMs() == null && !place.setting().isEmpty());
    }

    @Test
    void shouldNameWhatCouldNotBeLookedAt() {
        // given
        TopicSettings day = new TopicSettings("compact,delete", 24, 1, 2, 3, 60_000, Long.MAX_VALUE);
        EraseRest rest = new EraseRest(
                        List.of(new EraseRest.Waiting(3, 2, 12)),
                        List.of(new EraseRest.Unread("trash", 3, 3, List.of(7L, 9L))),
                        List.of(new EraseRest.Rejected("trash", 3, 3, List.of(2L), 0)))
                .plus(new EraseRest(
                        List.of(),
                        List.of(new EraseRest.Unread("lost", 0, 1, List.of(5L))),
                        List.of(new EraseRest.Rejected("lost", 0, 1, List.of(4L), 6))));

        // when
        List<RemainingPlace> places = Places.of(
                new Places.Topics(List.of("trash"), List.of(), List.of()), Map.of("trash", day), rest, ERASED);

        // then the copies that can be read go by their keys, the others by their age alone
        assertThat(places).startsWith(topicOf(day, "trash"));
        assertThat(places.subList(1, 7))
                .extracting(RemainingPlace::name, RemainingPlace::untilMs)
                .containsExactly(
                        tuple("lost-0, offset 5", null),
                        tuple("trash-3, offsets 7, 9 and 1 others", ERASED + 25 + BROKER),
                        tuple("lost-0, rejected records that match: offset 4", null),
                        tuple("lost-0, rejected records that cannot be read: 6", null),
                        tuple("trash-3, rejected records that match: offsets 2 and 2 others", ERASED + 25 + BROKER),
                        tuple("partition 3, records that wait to be taken in: 12 of 2 streams", null));
    }

    private static RemainingPlace topicOf(TopicSettings settings, String topic) {
        return settings.place(topic, "whole events", ERASED);
    }

    private static RemainingPlace topic(String cleanup, long retention, long segment, long lag, long tombstones) {
        return new TopicSettings(cleanup, retention, segment, lag, tombstones, 60_000, Long.MAX_VALUE)
                .place("t", "whole events", ERASED);
    }
}
