package dev.ebb.cli.options;

import dev.ebb.domain.policy.Scope;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a scope; the message for a wrong one shows the valid forms. */
public final class ScopeParameter implements ITypeConverter<Scope> {

    @Override
    public Scope convert(String text) {
        try {
            return Scope.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
