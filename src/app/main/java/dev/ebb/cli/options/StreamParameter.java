package dev.ebb.cli.options;

import dev.ebb.domain.event.NameRule;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a stream, or the id of an event, which follows the same rules. */
public final class StreamParameter implements ITypeConverter<String> {

    @Override
    public String convert(String text) {
        String problem = NameRule.problem(text);
        if (problem != null) {
            throw new TypeConversionException("'" + text + "' is not a valid name: it " + problem);
        }
        return text;
    }
}
