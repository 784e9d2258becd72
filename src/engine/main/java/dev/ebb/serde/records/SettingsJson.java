package dev.ebb.serde.records;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.time.Durations;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The settings that decide deletes as a JSON object. They have no schema: only instances write them, and a start must
 * not wait for a registry before it knows them. Stateless.
 */
public final class SettingsJson {

    private static final String MAX_AGE = "maxAge";
    private static final String MODE = "mode";
    private static final String STATUSES = "terminalStatuses";
    private static final String UNLIMITED = "unlimited";

    /** The state of settings in force that cannot be read, and its remedy. */
    public static final String UNREADABLE =
            "they cannot be read; start the version of Ebb that wrote them, and do not change the settings meanwhile";

    private SettingsJson() {}

    public static byte[] write(RetentionSettings settings) {
        Limit maxAge = settings.maxAge();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put(MAX_AGE, maxAge.isNone() ? UNLIMITED : Durations.format(maxAge.value()));
        json.put(MODE, settings.mode().text());
        json.put(STATUSES, settings.statuses().toString());
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** @throws dev.ebb.serde.schemas.RejectedException if the value is not a JSON object of plain values */
    public static DecodedPolicy read(byte[] value) {
        return JsonTypes.policy(PolicyKey.SETTINGS.toString(), value);
    }

    static DecodedPolicy read(Map<String, Object> values) {
        try {
            String maxAge = text(values, MAX_AGE);
            String mode = text(values, MODE);
            String statuses = text(values, STATUSES);
            return new DecodedPolicy.OfSettings(new RetentionSettings(
                    maxAge.equals(UNLIMITED) ? Limit.NONE : Limit.of(Durations.parseMs(maxAge)),
                    PolicyMode.parse(mode).orElseThrow(() -> new IllegalArgumentException("unknown mode " + mode)),
                    new TerminalStatuses(statuses.isEmpty() ? List.of() : Arrays.asList(statuses.split(",")))));
        } catch (IllegalArgumentException e) {
            return new DecodedPolicy.Bad(new Rejection(RejectReason.BAD_POLICY, "settings: " + e.getMessage()));
        }
    }

    private static String text(Map<String, Object> values, String field) {
        if (values.get(field) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(field + " is missing");
    }
}
