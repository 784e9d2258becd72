package dev.ebb.runtime.kafka;

/**
 * A difference between a topic and its plan.
 *
 * @param topic name of the topic
 * @param problem the fault, as the end of a sentence
 * @param fix the remedy
 * @param isFault true if it keeps the application from starting, false if the topic only differs from the settings
 */
public record TopicProblem(String topic, String problem, String fix, boolean isFault) {

    @Override
    public String toString() {
        return topic + " " + problem + "; fix: " + fix;
    }
}
