package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.domain.policy.FieldType;
import dev.ebb.domain.policy.PolicyField;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Gives a command an option for each field of a policy. A field without its option is inherited from wider scopes. */
final class PolicyFields implements IModelTransformer {

    /** Fields that the author options set. */
    private static final Set<PolicyField<?>> OF_AUTHOR = Set.of(PolicyField.UPDATED_BY, PolicyField.REASON);

    /** Values that a shell offers; others are allowed too. */
    private static final Map<PolicyField<?>, Iterable<String>> OFFERED = Map.of(
            PolicyField.MAX_AGE, new CompletionWords.Ages(), PolicyField.PATTERN, new CompletionWords.Patterns());

    @Override
    public CommandSpec transform(CommandSpec command) {
        PolicyField.ALL.stream()
                .filter(field -> !OF_AUTHOR.contains(field))
                .map(PolicyFields::option)
                .forEach(command::addOption);
        return command;
    }

    private static OptionSpec option(PolicyField<?> field) {
        OptionSpec.Builder option = OptionSpec.builder(name(field));
        if (field == PolicyField.ENABLED) {
            option.description("--no-enabled: ignore this policy.");
        } else {
            option.description(field.meaning());
        }
        return field.type().written() == FieldType.Form.TRUTH
                ? option.type(Boolean.class)
                        .arity("0")
                        .negatable(field != PolicyField.CONFIRMED)
                        .build()
                : option.type(String.class)
                        .paramLabel(field.type().noun())
                        .completionCandidates(offered(field))
                        .build();
    }

    /** Returns the name of an option: {@code --max-age} for the field {@code maxAge}. */
    private static String name(PolicyField<?> field) {
        return "--" + field.fieldName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static @Nullable Iterable<String> offered(PolicyField<?> field) {
        var words = field.type().words();
        return words.isEmpty()
                ? OFFERED.get(field)
                : words.stream().map(Object::toString).toList();
    }

    /** Returns the given fields in the form of a file of policies. */
    static ObjectNode json(CommandSpec command) {
        ObjectNode json = Json.object();
        for (PolicyField<?> field : PolicyField.ALL) {
            OptionSpec option = command.findOption(name(field));
            Object value = OF_AUTHOR.contains(field) || option == null ? null : option.getValue();
            if (value instanceof Boolean truth) {
                json.put(field.fieldName(), truth);
            } else if (value != null) {
                put(json, field, value.toString());
            }
        }
        return json;
    }

    /**
     * Adds the field. A text that is not a number is sent as it is, so that the application refuses it together with
     * all other faults.
     */
    private static void put(ObjectNode json, PolicyField<?> field, String text) {
        if (field.type().written() == FieldType.Form.NUMBER && text.matches("-?\\d{1,18}")) {
            json.put(field.fieldName(), Long.parseLong(text));
        } else {
            json.put(field.fieldName(), text);
        }
    }
}
