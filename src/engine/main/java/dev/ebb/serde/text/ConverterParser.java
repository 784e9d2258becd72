package dev.ebb.serde.text;

import dev.ebb.domain.source.FormatChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the converter of a source with its transformations, as Kafka Connect has them: {@code {converter: CLASS,
 * options: {…}, transforms: [{type: CLASS, options: {…}}]}}.
 *
 * @param source the fields of the source
 * @param field the field of the converter
 */
record ConverterParser(FieldReader source, String field) {

    private static final Set<String> CONVERTER = Set.of("converter", "options", "transforms");
    private static final Set<String> TRANSFORM = Set.of("type", "options");
    static final Pattern CLASS_NAME = Pattern.compile("[\\w$]+(\\.[\\w$]+)*");
    static final int MAX_TRANSFORMS = 16;

    /** Returns the converter; faults go to the reader of the source. */
    FormatChoice parse() {
        FieldReader reader = source.object(field, CONVERTER);
        if (reader == null) {
            throw new IllegalArgumentException("must be an object");
        }
        String name =
                reader.required("converter", "org.apache.kafka.connect.json.JsonConverter", ConverterParser::className);
        Map<String, String> options = reader.texts("options");
        List<FormatChoice.Transform> transforms = transforms(reader);
        return FormatChoice.ofConverter(name == null ? "unknown" : name, options, transforms);
    }

    private static String className(String text) {
        if (!CLASS_NAME.matcher(text).matches()) {
            throw new IllegalArgumentException("must be the name of a class, was '" + text + "'");
        }
        return text;
    }

    private List<FormatChoice.Transform> transforms(FieldReader reader) {
        Object list = reader.raw("transforms");
        if (list == null) {
            return List.of();
        }
        if (!(list instanceof List<?> entries) || entries.size() > MAX_TRANSFORMS) {
            throw new IllegalArgumentException("transforms must be a list of at most " + MAX_TRANSFORMS
                    + " entries such as {type: CLASS, options: {…}}");
        }
        List<FormatChoice.Transform> transforms = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            transforms.add(transform(reader, "transforms." + i, entries.get(i)));
        }
        return transforms;
    }

    private static FormatChoice.Transform transform(FieldReader reader, String field, Object entry) {
        if (!(entry instanceof Map<?, ?> values)) {
            throw new IllegalArgumentException(field + " must be an object such as {type: CLASS, options: {…}}");
        }
        FieldReader transform = reader.below(field, values, TRANSFORM);
        String name =
                transform.required("type", "io.debezium.transforms.ExtractNewRecordState", ConverterParser::className);
        return new FormatChoice.Transform(name == null ? "unknown" : name, transform.texts("options"));
    }
}
