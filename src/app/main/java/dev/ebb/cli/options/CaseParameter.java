package dev.ebb.cli.options;

import dev.ebb.domain.policy.PolicyKey;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the case of a hold; the message for a wrong one names the fault. */
public final class CaseParameter implements ITypeConverter<PolicyKey> {

    @Override
    public PolicyKey convert(String text) {
        try {
            return PolicyKey.ofHold(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
