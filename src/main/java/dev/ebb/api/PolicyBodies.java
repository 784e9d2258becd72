package dev.ebb.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.util.List;

/** Policies in the bodies of requests and answers. */
final class PolicyBodies {

    private PolicyBodies() {}

    record Parsed(List<RetentionPolicy> policies, List<ProblemView.Fault> warnings) {}

    static Parsed policy(Scope scope, JsonNode body) {
        throw new UnsupportedOperationException();
    }

    static Parsed file(String text) {
        throw new UnsupportedOperationException();
    }

    static JsonNode json(RetentionPolicy policy) {
        throw new UnsupportedOperationException();
    }
}
