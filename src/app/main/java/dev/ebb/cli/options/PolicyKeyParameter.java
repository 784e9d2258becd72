package dev.ebb.cli.options;

import dev.ebb.domain.policy.PolicyKey;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a scope or {@code hold:<case>}; the message for a wrong one shows the valid forms. */
public final class PolicyKeyParameter implements ITypeConverter<PolicyKey> {

    @Override
    public PolicyKey convert(String text) {
        try {
            return PolicyKey.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
