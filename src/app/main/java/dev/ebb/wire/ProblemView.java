package dev.ebb.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.port.StatusView;
import dev.ebb.serde.text.PolicyFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error response: RFC 9457, media type {@code application/problem+json}.
 *
 * @param problems every single fault, where there can be more than one
 * @param restoring progress of the stores that the answer has to wait for
 */
public record ProblemView(
        String type,
        String title,
        int status,
        String detail,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Fault> problems,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StatusView.RestoreView> restoring) {

    public static final String MEDIA_TYPE = "application/problem+json";

    /**
     * One fault.
     *
     * @param where the faulty field, parameter or place in the body
     * @param message text that names the fault and a correct value
     */
    public record Fault(@Nullable String where, String message) {

        public static Fault of(PolicyProblem problem) {
            return new Fault(problem.field(), problem.message());
        }

        public static Fault of(PolicyFile.Problem problem) {
            String place = problem.place().isEmpty() ? "" : ", " + problem.place();
            return new Fault(
                    "line " + problem.line() + place + ", " + problem.problem().field(),
                    problem.problem().message());
        }
    }

    /** Returns a problem without a kind of its own. */
    public static ProblemView ofStatus(int status, String detail) {
        return new ProblemView("about:blank", "The request was not answered", status, detail, List.of(), List.of());
    }
}
