package dev.ebb.cli.options;

import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.Scope;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a parameter; the message for a wrong one names the fault. */
public abstract class ParameterReader<T> implements ITypeConverter<T> {

    private final Function<String, T> reader;

    /** @param reader throws an IllegalArgumentException with the fault as its message */
    private ParameterReader(Function<String, T> reader) {
        this.reader = reader;
    }

    @Override
    public final T convert(String text) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static String name(String text) {
        String problem = NameRule.problem(text);
        if (problem != null) {
            throw new IllegalArgumentException("'" + text + "' is not a valid name: it " + problem);
        }
        return text;
    }

    /** Reads the name of a stream, or the id of an event, which follows the same rules. */
    public static final class OfName extends ParameterReader<String> {
        public OfName() {
            super(ParameterReader::name);
        }
    }

    /** Reads a scope. */
    public static final class OfScope extends ParameterReader<Scope> {
        public OfScope() {
            super(Scope::parse);
        }
    }

    /** Reads the case of a hold. */
    public static final class OfCase extends ParameterReader<PolicyKey> {
        public OfCase() {
            super(PolicyKey::ofHold);
        }
    }

    /** Reads a scope or {@code hold:<case>}. */
    public static final class OfKey extends ParameterReader<PolicyKey> {
        public OfKey() {
            super(PolicyKey::parse);
        }
    }
}
