package dev.ebb.runtime.kafka;

import java.util.List;

/**
 * Target for one topic.
 *
 * @param name name of the topic
 * @param partitions number of partitions
 * @param settings the settings that differ from the broker's defaults
 */
record TopicSpec(String name, int partitions, List<TopicSetting> settings) {

    TopicSpec {
        settings = List.copyOf(settings);
    }
}
