package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.it.Await;
import dev.ebb.runtime.SharedStack;
import dev.ebb.topology.wire.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class TopicAdminIT {

    private static final long TWO_HOURS_MS = 7_200_000;
    private static final long YEAR_2099 = 4_070_908_800_000L;

    private final EbbConfig config = SharedStack.config(Map.of());
    private final Topics topics = TopicPlan.topics(config);
    private final Admin admin = new KafkaClients(config).admin();
    private final TopicAdmin topicAdmin = new TopicAdmin(admin, config);

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void shouldMakeTopicsThatPassItsOwnCheck() {
        // given
        int topicCount = new TopicPlan(config).topics().size();
        assertThat(topicAdmin.check()).hasSize(topicCount).allSatisfy(problem -> assertThat(problem.toString())
                .endsWith("does not exist; fix: run 'ebb topics create'"));

        // when
        List<String> done = topicAdmin.create();

        // then
        assertThat(done).hasSize(topicCount).contains("created " + topics.events() + " with 2 partitions");
        assertThat(topicAdmin.check()).isEmpty();
        assertThat(topicAdmin.create()).isEmpty();
    }

    @Test
    @Tag("A-10")
    void shouldFindAndMendSettingsThatBreakPromises() throws InterruptedException {
        // given
        topicAdmin.create();
        set(topics.policies(), "cleanup.policy", "delete");
        set(topics.mirrorExecutions(), "delete.retention.ms", "1000");
        set(topics.mirrorPolicies(), "max.compaction.lag.ms", "9223372036854775807");
        set(topics.audit(), "message.timestamp.type", "CreateTime");
        set(topics.rejected(), "max.message.bytes", "1048588");
        set(topics.reports(), "retention.ms", "3600000");

        // when
        List<TopicProblem> problems = topicAdmin.check();
        topicAdmin.create();

        // then
        assertThat(problems)
                .extracting(TopicProblem::topic, TopicProblem::isFault)
                .containsExactlyInAnyOrder(
                        tuple(topics.policies(), true),
                        tuple(topics.mirrorExecutions(), true),
                        tuple(topics.mirrorPolicies(), true),
                        tuple(topics.audit(), true),
                        tuple(topics.rejected(), true),
                        tuple(topics.reports(), false));
        assertThat(topicAdmin.check()).isEmpty();
    }

    /** Deletes under a longer undo.max are promised for that time. */
    @Test
    @Tag("T-16")
    void shouldNeverLowerWhatTheTrashKeeps() throws InterruptedException {
        // given
        topicAdmin.create();
        set(topics.trash(), "retention.ms", "9999999999");

        // when
        List<String> done = topicAdmin.create();

        // then
        assertThat(done).singleElement().asString().startsWith("left retention.ms=9999999999 on " + topics.trash());
        assertThat(topicAdmin.check()).isEmpty();
    }

    @Test
    @Tag("A-11")
    void shouldRefuseAnotherNumberOfPartitions() throws InterruptedException {
        // given
        topicAdmin.create();
        Answers.of(admin.createPartitions(Map.of(topics.mirrorExecutions(), NewPartitions.increaseTo(3)))
                .all());

        // then: the broker shows a change a moment after it has answered
        Await.until("a problem", () -> topicAdmin.check().isEmpty() ? "the third partition" : "");
        assertThat(topicAdmin.check())
                .extracting(TopicProblem::toString)
                .containsExactly(topics.mirrorExecutions() + " has 3 partitions and must have 2;"
                        + " fix: set topics.partitions=3, or take another topics.prefix");
    }

    @Test
    @Tag("A-11")
    void shouldRefuseTheStateOfAnotherNumberOfPartitions() throws InterruptedException {
        // given
        topicAdmin.create();
        String log = ConfiguredTopology.eventLog(config);
        Answers.of(
                admin.createPartitions(Map.of(log, NewPartitions.increaseTo(4))).all());

        // then: the broker shows a change a moment after it has answered
        Await.until("a problem", () -> topicAdmin.check().isEmpty() ? "the fourth partition" : "");
        assertThat(topicAdmin.check())
                .extracting(TopicProblem::toString)
                .containsExactly(log + " says that the state was made with 4 partitions, not 2; fix: set"
                        + " topics.partitions=4, which is fixed at the first start, or take another application.id");
    }

    /** Each of these loses events, or brings deleted ones back. */
    @ParameterizedTest
    @CsvSource({
        "cleanup.policy, compact",
        "cleanup.policy, 'compact,delete'",
        "retention.ms, 604800000",
        "retention.bytes, 1000000000"
    })
    @Tag("A-9")
    void shouldRefuseALogThatSomethingElseMakesShorter(String setting, String value) throws InterruptedException {
        // given
        topicAdmin.create();
        String log = ConfiguredTopology.eventLog(config);
        set(log, setting, value);

        // then
        Await.until("a problem", () -> topicAdmin.check().isEmpty() ? "that of the log" : "");
        assertThat(topicAdmin.check())
                .extracting(TopicProblem::topic, TopicProblem::isFault)
                .containsExactly(tuple(log, true));
        assertThat(topicAdmin.create()).singleElement().asString().startsWith("set " + setting + "=");
    }

    @Test
    @Tag("O-7")
    @Tag("A-10")
    void shouldFindAndMendChangelogsOfAnEarlierVersion() {
        // given: as Kafka Streams made them before they took any timestamp
        topicAdmin.create();
        String changelog = config.get(Settings.APPLICATION_ID) + "-policy-gate-changelog";
        Map<String, String> settings = new HashMap<>(new TopicPlan(config).changelogSettings());
        settings.put("message.timestamp.type", "CreateTime");
        NewTopic made = new NewTopic(changelog, 2, (short) 1).configs(settings);
        Answers.of(admin.createTopics(List.of(made)).all());

        // when
        List<TopicProblem> problems = topicAdmin.check();
        List<String> done = topicAdmin.create();

        // then
        assertThat(problems)
                .extracting(TopicProblem::toString)
                .containsExactly(changelog + " has message.timestamp.type=CreateTime and should have LogAppendTime;"
                        + " fix: run 'ebb topics create'");
        assertThat(problems).allMatch(TopicProblem::isFault);
        assertThat(done).containsExactly("set message.timestamp.type=LogAppendTime on " + changelog);
        assertThat(topicAdmin.check()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -TWO_HOURS_MS, TWO_HOURS_MS, YEAR_2099})
    @Tag("O-7")
    @Tag("A-10")
    void shouldTakeAnyTimestampWhereverTheApplicationWrites(long aheadMs) throws Exception {
        // given: 1970 stands for 0
        topicAdmin.create();
        long timestamp = aheadMs == 0 ? 0 : aheadMs == YEAR_2099 ? YEAR_2099 : System.currentTimeMillis() + aheadMs;
        List<String> written = new TopicPlan(config)
                .topics().stream()
                        .map(TopicSpec::name)
                        .filter(name -> !name.equals(topics.events()))
                        .toList();

        // when
        try (Producer<byte[], byte[]> producer = new KafkaClients(config).producer()) {
            for (String topic : written) {
                var record = new ProducerRecord<>(topic, 0, timestamp, new byte[1], new byte[1]);

                // then
                assertThat(producer.send(record).get().topic()).isEqualTo(topic);
            }
        }
    }

    /** The broker shows a change a moment after it has answered, so this waits until it does. */
    private void set(String topic, String key, String value) throws InterruptedException {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        var change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        Answers.of(
                admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all());
        Await.until(key + " of " + topic, () -> {
            String shown = Answers.of(admin.describeConfigs(List.of(resource)).all())
                    .get(resource)
                    .get(key)
                    .value();
            return value.equals(shown) ? "" : value;
        });
    }
}
