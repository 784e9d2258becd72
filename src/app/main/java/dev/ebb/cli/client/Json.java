package dev.ebb.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.serde.text.OutsideJson;
import dev.ebb.wire.WireJson;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts trees of JSON to text and back. */
public final class Json {

    private static final String OTHER_FORM =
            "the answer of the application does not have the expected form; does it run another version? ";
    private static final Pattern CONTROL = Pattern.compile("[\\x7f-\\x9f]");
    private static final ObjectMapper MAPPER = JsonMapper.builder(OutsideJson.factory())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    /** Returns an empty object. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Puts the value into the object, unless it is null. */
    public static void putGiven(ObjectNode object, String field, @Nullable Object value) {
        if (value != null) {
            object.set(field, MAPPER.valueToTree(value));
        }
    }

    /** Returns the tree of the text. */
    public static JsonNode parse(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
    }

    /**
     * Returns the answer as a record.
     *
     * @throws CommandFailure if the answer is empty or has another form, which only another version of the application
     *     can give
     */
    public static <T> T as(JsonNode answer, Class<T> type) {
        if (answer.isMissingNode() || answer.isNull()) {
            throw new CommandFailure(ExitCode.FAILED, OTHER_FORM + "it is empty");
        }
        try {
            return WireJson.read(answer, type);
        } catch (JsonProcessingException e) {
            throw new CommandFailure(ExitCode.FAILED, OTHER_FORM + e.getOriginalMessage(), e);
        }
    }

    /** Returns JSON in one line. */
    public static String compact(JsonNode node) {
        return write(() -> MAPPER.writeValueAsString(node));
    }

    /** Returns indented JSON for people; characters that a terminal would act upon are escaped. */
    public static String pretty(JsonNode node) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(indenter);
        printer.indentObjectsWith(indenter);
        String text = write(() -> MAPPER.writer(printer).writeValueAsString(node));
        return CONTROL.matcher(text)
                .replaceAll(
                        found -> String.format("\\\\u%04x", (int) found.group().charAt(0)));
    }

    /** Returns a document of YAML that ends with a line break. */
    public static String yaml(JsonNode node) {
        return write(() -> Yaml.MAPPER.writeValueAsString(node));
    }

    private static String write(Writer writer) {
        try {
            return writer.write();
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Holder of the YAML writer, which few commands use. */
    private static final class Yaml {
        static final ObjectMapper MAPPER = YAMLMapper.builder(YAMLFactory.builder()
                        .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                        .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                        .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                        .stringQuotingChecker(new Quotes())
                        .build())
                .build();

        private Yaml() {}

        /** Quotes what a parser of YAML 1.1 reads as something else: 2026-11-28, 1:30, =, no. */
        private static final class Quotes extends StringQuotingChecker.Default {

            private static final long serialVersionUID = 1;
            private static final Pattern WORD =
                    Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*(?::[A-Za-z0-9_./-]+)?|[0-9]+(?:ms|[smhdw])");

            @Override
            public boolean needToQuoteName(String name) {
                return !WORD.matcher(name).matches() || super.needToQuoteName(name);
            }

            @Override
            public boolean needToQuoteValue(String value) {
                return !WORD.matcher(value).matches() || super.needToQuoteValue(value);
            }
        }
    }

    private interface Writer {
        String write() throws JsonProcessingException;
    }
}
