package dev.ebb.serde.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyProblem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A hold as a JSON object. Stateless. */
public final class HoldJson {

    private HoldJson() {}

    /** Returns the object of a hold, without unknown values. */
    public static ObjectNode write(Hold hold) {
        ObjectNode json = declaration(hold);
        if (!hold.placedBy().isEmpty()) {
            json.put("placedBy", hold.placedBy());
        }
        if (hold.placedAtMs() > 0) {
            json.put("placedAt", EventJson.time(hold.placedAtMs()));
        }
        return json;
    }

    /** Returns the hold as written in a file of policies: without author and time of placing. */
    public static ObjectNode declaration(Hold hold) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("case", hold.caseId());
        json.put("covers", hold.covers().toString());
        if (!hold.reason().isEmpty()) {
            json.put("reason", hold.reason());
        }
        return json;
    }

    /** Returns the hold of an object that may omit its case, and must not name another case. */
    public static ParsedHold read(JsonNode json, String caseId) {
        if (!json.isObject()) {
            return new ParsedHold(Optional.empty(), List.of(PolicyProblem.fault("hold", "must be a JSON object")));
        }
        Map<String, @Nullable Object> values = PolicyJson.values(json);
        @Nullable Object named = values.putIfAbsent("case", caseId);
        ParsedHold parsed = HoldParser.parse(values);
        return named == null || named.equals(caseId)
                ? parsed
                : parsed.and(PolicyProblem.fault(
                        "case", "is '" + named + "', but the hold is addressed as '" + caseId + "'"));
    }
}
