package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.model.PolicySamples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each field of a policy has an option that sets it. */
@Tag("O-16")
class PolicyFieldOptionsCatalogueTest {

    private static final String CHANGED = "{\"inForce\":true,\"version\":8,\"set\":[\"namespace:n\"],\"removed\":[]}";

    @RegisterExtension
    final FakeApi api = new FakeApi();

    static List<PolicyField<?>> fields() {
        return PolicyField.ALL;
    }

    @BeforeEach
    void start() {
        api.answer("PUT /v1/policies/namespace:n", 200, CHANGED);
    }

    @ParameterizedTest
    @MethodSource("fields")
    void shouldSendAsItIsWritten(PolicyField<?> field) throws IOException {
        for (Object written : PolicySamples.of(field)) {
            if (field == PolicyField.CONFIRMED && written.equals(false)) {
                continue; // without this option the change is not confirmed
            }

            // when
            CommandRun run = api.run(arguments(field, written));

            // then
            assertThat(run.exitCode()).as(run.err()).isZero();
            JsonNode sent = new ObjectMapper()
                    .readTree(api.requests().get(api.requests().size() - 1).body())
                    .path(field.fieldName());
            assertThat(sent.isNumber()).isEqualTo(written instanceof Long);
            assertThat(sent.isBoolean()).isEqualTo(written instanceof Boolean);
            assertThat(sent.asText()).isEqualTo(written.toString());
        }
    }

    private static String[] arguments(PolicyField<?> field, Object written) {
        String option = field.fieldName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        List<String> arguments = new ArrayList<>(List.of("policy", "set", "namespace:n"));
        if (field != PolicyField.MAX_AGE) {
            arguments.addAll(List.of("--max-age", "1d")); // an author and a reason alone are no policy
        }
        if (written instanceof Boolean truth) {
            arguments.add((truth ? "--" : "--no-") + option);
        } else {
            arguments.addAll(List.of("--" + option, written.toString()));
        }
        return arguments.toArray(String[]::new);
    }
}
