package dev.ebb.runtime.kafka;

/**
 * Something about a topic that is not as it should be.
 *
 * @param topic its name
 * @param problem the fault, as the end of a sentence
 * @param fix the remedy
 * @param isFault true if the application does not start with it, false if it is only not what the settings say
 */
public record TopicProblem(String topic, String problem, String fix, boolean isFault) {

    @Override
    public String toString() {
        return topic + " " + problem + "; fix: " + fix;
    }
}
