package dev.ebb.domain.source;

import org.jspecify.annotations.Nullable;

/** A value with fields, in any format. */
@FunctionalInterface
public interface SourceObject {

    /**
     * Returns the value of a field: null if there is none, or if it is null; else a {@link String}, {@link Long}, {@link
     * java.math.BigInteger}, {@link java.math.BigDecimal}, {@link Double}, {@link Boolean}, a {@code byte[]}, an {@link
     * java.time.Instant}, a {@link java.time.LocalDate}, a {@link java.util.List} or another object. Anything else is
     * taken for a value that no field can use.
     */
    @Nullable
    Object field(String name);
}
