package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.config.EbbConfig;
import dev.ebb.it.Await;
import dev.ebb.topology.Topics;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TopicAdminIT {

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
    void shouldFindAndMendSettingsThatBreakPromises() {
        // given
        topicAdmin.create();
        set(topics.policies(), "cleanup.policy", "delete");
        set(topics.mirrorEvents(), "delete.retention.ms", "1000");
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
                        tuple(topics.mirrorEvents(), true),
                        tuple(topics.mirrorPolicies(), true),
                        tuple(topics.audit(), true),
                        tuple(topics.rejected(), true),
                        tuple(topics.reports(), false));
        assertThat(topicAdmin.check()).isEmpty();
    }

    @Test
    @Tag("A-11")
    void shouldRefuseAnotherNumberOfPartitions() throws InterruptedException {
        // given
        topicAdmin.create();
        Answers.of(admin.createPartitions(Map.of(topics.mirrorEvents(), NewPartitions.increaseTo(3)))
                .all());

        // then: the broker shows a change a moment after it has answered
        Await.until("a problem", () -> topicAdmin.check().isEmpty() ? "the third partition" : "");
        assertThat(topicAdmin.check())
                .extracting(TopicProblem::toString)
                .containsExactly(topics.mirrorEvents() + " has 3 partitions and must have 2;"
                        + " fix: set topics.partitions=3, or take another topics.prefix");
    }

    @Test
    @Tag("A-11")
    void shouldRefuseTheStateOfAnotherNumberOfPartitions() {
        // given
        topicAdmin.create();
        String changelog = config.applicationId() + "-events-changelog";
        Answers.of(admin.createTopics(List.of(new NewTopic(changelog, 4, (short) 1)))
                .all());

        // then
        assertThat(topicAdmin.check())
                .extracting(TopicProblem::topic, TopicProblem::isFault)
                .containsExactly(tuple(changelog, true));
    }

    private void set(String topic, String key, String value) {
        var change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        Answers.of(admin.incrementalAlterConfigs(
                        Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(change)))
                .all());
    }
}
