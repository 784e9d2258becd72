package dev.ebb.topology.source;

import dev.ebb.topology.wire.ErrandBodies.FirstHeld;
import dev.ebb.topology.wire.ErrandBodies.LogHeld;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Questions about the records of logs that must stay, and the answers of all partitions of the events (F-8). An answer
 * comes to the policy gate when its transaction is committed, so that no abort brings back an event that it counts as
 * gone. Only the instance of the gate asks. Thread-safe.
 */
public final class SourceStarts {

    private final Map<String, Question> questions = new HashMap<>();
    private int partitions;

    private record Question(String id, Map<Integer, Map<Integer, FirstHeld>> answers) {}

    /** Begins to take answers for the gate. */
    public synchronized void begin(int ofEvents) {
        partitions = ofEvents;
        questions.clear();
    }

    /** Ends the work of the gate here. */
    public synchronized void end() {
        partitions = 0;
        questions.clear();
    }

    /** Returns the number of partitions of the events if the gate is here, else 0. */
    public synchronized int partitions() {
        return partitions;
    }

    /** Notes a new question about the source, in the place of a former one. */
    public synchronized void ask(String source, String id) {
        questions.put(source, new Question(id, new HashMap<>()));
    }

    /** Forgets the question about the source. */
    public synchronized void forget(String source) {
        questions.remove(source);
    }

    /** Takes the answer of a partition; one to another question changes nothing. */
    public synchronized void take(String id, int partition, LogHeld answer) {
        Question question = questions.get(answer.source());
        if (question != null && question.id.equals(id)) {
            question.answers.put(partition, answer.holds());
        }
    }

    /** Returns the first record of each partition of the topic that must stay; null until all have answered. */
    public synchronized @Nullable Map<Integer, FirstHeld> answer(String source) {
        Question question = questions.get(source);
        if (question == null || partitions == 0 || question.answers.size() < partitions) {
            return null;
        }
        Map<Integer, FirstHeld> first = new HashMap<>();
        question.answers
                .values()
                .forEach(holds -> holds.forEach((partition, hold) ->
                        first.merge(partition, hold, (one, other) -> other.offset() < one.offset() ? other : one)));
        return first;
    }
}
