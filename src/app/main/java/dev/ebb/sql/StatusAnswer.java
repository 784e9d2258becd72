package dev.ebb.sql;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns Connect's answer about a connector into a {@link ConnectorStatus}. Stateless. */
final class StatusAnswer {

    private static final String CAUSED_BY = "Caused by: ";
    private static final int MAX_PROBLEM = 300;

    private StatusAnswer() {}

    static ConnectorStatus read(String name, JsonNode answer) {
        List<String> states = new ArrayList<>();
        Optional<String> problem = problem(answer.path("connector"));
        for (JsonNode task : answer.path("tasks")) {
            states.add(task.path("state").asText());
            problem = problem.or(() -> problem(task));
        }
        String own = answer.path("connector").path("state").asText();
        return new ConnectorStatus(name, overall(own, states), states, problem, 0);
    }

    private static String overall(String own, List<String> tasks) {
        if (own.equals(ConnectorStatus.FAILED) || tasks.contains(ConnectorStatus.FAILED)) {
            return ConnectorStatus.FAILED;
        }
        if (!own.equals(ConnectorStatus.RUNNING)) {
            return own;
        }
        return tasks.isEmpty()
                ? ConnectorStatus.UNASSIGNED
                : tasks.stream()
                        .filter(state -> !state.equals(ConnectorStatus.RUNNING))
                        .findFirst()
                        .orElse(ConnectorStatus.RUNNING);
    }

    /** Returns the deepest cause of the trace, whose first line only says that a task ended. */
    private static Optional<String> problem(JsonNode part) {
        String trace = part.path("trace").asText("");
        int cause = trace.lastIndexOf(CAUSED_BY);
        return trace.substring(cause < 0 ? 0 : cause + CAUSED_BY.length())
                .lines()
                .findFirst()
                .filter(line -> !line.isBlank())
                .map(line -> line.length() > MAX_PROBLEM ? line.substring(0, MAX_PROBLEM) + "…" : line);
    }
}
