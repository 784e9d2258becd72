package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.topology.wire.Topics;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The timestamp of a record must not make a task fail. */
@Tag("O-7")
class TopicPlanTest {

    private final EbbConfig config = EbbConfig.load(ConfigSources.of(null, Map.of(), Map.of()));
    private final TopicPlan plan = new TopicPlan(config);
    private final Topics topics = TopicPlan.topics(config);

    @Test
    void shouldNoteTheTimeOfTheBrokerWhereverTheApplicationWrites() {
        // when
        Map<String, String> types = plan.topics().stream()
                .collect(Collectors.toMap(TopicSpec::name, spec -> setting(spec, "message.timestamp.type")));

        // then: events belong to the producers and keep the time that their records came with
        assertThat(types.remove(topics.events())).isEmpty();
        keepingTheirTime().forEach(topic -> assertThat(types.remove(topic)).isEqualTo("CreateTime"));
        assertThat(types)
                .isNotEmpty()
                .allSatisfy((topic, type) -> assertThat(type).as(topic).isEqualTo("LogAppendTime"));
        assertThat(plan.changelogSettings()).containsEntry("message.timestamp.type", "LogAppendTime");
    }

    /** A source on one of them would feed Ebb with what it writes, for ever. */
    @ParameterizedTest
    @CsvSource({
        "ebb.events, true",
        "ebb.rejected, true",
        "ebb.audit, true",
        "ebb.policies.accepted, true",
        "ebb-events-changelog, true",
        "ebb-other-changelog, true",
        "shop.orders, false",
        "ebb.orders, false"
    })
    @Tag("F-1")
    void shouldKnowItsOwnTopics(String name, boolean isOwn) {
        assertThat(TopicPlan.isOwn(config, name)).isEqualTo(isOwn);
    }

    @Test
    @Tag("O-21")
    void shouldTakeRecordsOfAnyTimeWhereTheyKeepTheirs() {
        String any = Long.toString(Long.MAX_VALUE);

        assertThat(plan.topics().stream().filter(spec -> keepingTheirTime().contains(spec.name())))
                .hasSize(2)
                .allSatisfy(spec -> {
                    assertThat(setting(spec, "message.timestamp.after.max.ms")).isEqualTo(any);
                    assertThat(setting(spec, "message.timestamp.before.max.ms")).isEqualTo(any);
                });
    }

    /** A retention would lose events, and a compaction would bring deleted ones back. */
    @Test
    @Tag("A-9")
    void shouldLetNothingButACutShortenTheLogOfTheEvents() {
        assertThat(plan.topics())
                .filteredOn(spec -> spec.name().equals("ebb-events-changelog"))
                .singleElement()
                .satisfies(spec -> {
                    assertThat(setting(spec, "cleanup.policy")).isEqualTo("delete");
                    assertThat(setting(spec, "retention.ms")).isEqualTo("-1");
                    assertThat(setting(spec, "retention.bytes")).isEqualTo("-1");
                    assertThat(spec.settings())
                            .filteredOn(setting -> setting.key().startsWith("retention.")
                                    || setting.key().equals("cleanup.policy"))
                            .allMatch(setting -> setting.isBrokenBy("1000"));
                });
    }

    /** A tombstone takes a copy out of a compacted topic; without compaction the copy would stay. */
    @Test
    @Tag("T-10")
    void shouldRefuseAnArchiveThatKeepsErasedCopies() {
        assertThat(plan.topics())
                .filteredOn(spec -> spec.name().equals(topics.archive()))
                .flatExtracting(TopicSpec::settings)
                .filteredOn(setting -> setting.key().equals("cleanup.policy"))
                .singleElement()
                .satisfies(setting -> assertThat(setting.isBrokenBy("delete")).isTrue());
    }

    @Test
    @Tag("A-14")
    void shouldMakeATopicOfJsonRowsWhereTheyAreAskedFor() {
        // given
        TopicPlan asked = new TopicPlan(EbbConfig.load(ConfigSources.of(null, Map.of(), Map.of("mirror.json", "on"))));

        // then
        assertThat(asked.topics()).extracting(TopicSpec::name).contains(topics.mirrorEvents());
        assertThat(plan.topics()).extracting(TopicSpec::name).doesNotContain(topics.mirrorEvents());
    }

    /** A window that is longer than what the topics keep would promise a return that does not come. */
    @ParameterizedTest
    @CsvSource({"7d, 691200000, 691200000", "1d, 172800000, 604800000", "365d, 31622400000, 31622400000"})
    @Tag("T-1")
    @Tag("T-5")
    void shouldKeepWhatAnUndoNeedsAsLongAsItMayAskForIt(String undoMax, String trash, String accepted) {
        // given
        EbbConfig asked = EbbConfig.load(ConfigSources.of(null, Map.of(), Map.of("undo.max", undoMax)));

        // then
        assertThat(new TopicPlan(asked).topics())
                .filteredOn(spec -> spec.name().equals(topics.trash()))
                .singleElement()
                .satisfies(spec -> {
                    assertThat(setting(spec, "retention.ms")).isEqualTo(trash);
                    assertThat(setting(spec, "delete.retention.ms")).isEqualTo(trash);
                    assertThat(setting(spec, "retention.bytes")).isEqualTo("-1");
                    assertThat(spec.settings())
                            .filteredOn(setting -> setting.key().startsWith("retention.")
                                    || setting.key().startsWith("delete.retention."))
                            .allMatch(setting -> setting.isBrokenBy("1000"));
                });
        assertThat(new TopicPlan(asked).topics())
                .filteredOn(spec -> spec.name().equals(topics.policiesAccepted()))
                .singleElement()
                .satisfies(
                        spec -> assertThat(setting(spec, "delete.retention.ms")).isEqualTo(accepted));
    }

    private List<String> keepingTheirTime() {
        return List.of(topics.rekey(), topics.mirrorExecutions());
    }

    private static String setting(TopicSpec spec, String key) {
        return spec.settings().stream()
                .filter(setting -> setting.key().equals(key))
                .map(TopicSetting::value)
                .findFirst()
                .orElse("");
    }
}
