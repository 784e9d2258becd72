package dev.ebb.topology.gate;

import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Record of the topic of policies for as long as the gate keeps it: its bytes and, once it could be read, its
 * declaration, since judge, files and brake ask for it again and again. Not thread-safe.
 */
public final class GateRecord {

    private static final List<HeaderNumber> NUMBERS = List.of(
            new HeaderNumber(EbbHeaders.APPLY_COUNT, 1),
            new HeaderNumber(EbbHeaders.APPLY_BASE, PolicySet.NO_VERSION),
            new HeaderNumber(EbbHeaders.LATE_CHANGES, 0),
            new HeaderNumber(EbbHeaders.CONFIRM_VERSION, 0),
            new HeaderNumber(EbbHeaders.CONFIRM_COUNT, 0),
            new HeaderNumber(EbbHeaders.CONFIRM_RECORDS, 1),
            new HeaderNumber(EbbHeaders.DROP_VERSION, 0));

    private final InputRecord input;
    private final String key;
    private @Nullable DecodedPolicy declaration;

    public GateRecord(InputRecord input) {
        byte[] bytes = input.key();
        this.input = input;
        this.key = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    /** A header that is a number. */
    private record HeaderNumber(String header, long least) {}

    InputRecord input() {
        return input;
    }

    long offset() {
        return input.offset();
    }

    /** Returns the text of the key; empty if there is none. */
    String key() {
        return key;
    }

    /** Returns the policy or hold that a good record sets or removes. */
    PolicyKey policyKey() {
        return PolicyKey.parse(key);
    }

    byte @Nullable [] value() {
        return input.value();
    }

    /** Returns the declaration of the record; null for a removal. Decoded once, unless its schema is not known yet. */
    @Nullable
    DecodedPolicy declaration(RecordReader reader) {
        byte[] value = input.value();
        if (value != null && (declaration == null || declaration instanceof DecodedPolicy.Pending)) {
            declaration = reader.readPolicy(key, value);
        }
        return declaration;
    }

    /** Returns the text of the last header of that name; null if there is none. */
    @Nullable
    String header(String name) {
        return EbbHeaders.text(input.headers(), name);
    }

    /** Returns the id of the file to which the record belongs; null if it stands alone. */
    @Nullable
    String file() {
        return header(EbbHeaders.APPLY_ID);
    }

    /** Returns the reason why a number in its headers cannot be one; null if all can. */
    @Nullable
    String problemOfNumbers() {
        return NUMBERS.stream()
                .map(number -> EbbHeaders.problem(input.headers(), number.header(), number.least()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns the number of records of its file. */
    long recordsOfFile() {
        return EbbHeaders.number(input.headers(), EbbHeaders.APPLY_COUNT, 1);
    }

    /** Returns true if its file was planned. */
    boolean isPlanned() {
        return EbbHeaders.base(input.headers()) != null;
    }

    /** Returns true if a change has come into force since its file was planned. */
    boolean isPlannedBefore(PolicyEdition inForce) {
        PolicyEdition base = EbbHeaders.base(input.headers());
        return base != null && base.isBefore(inForce);
    }

    /** Returns the approximate number of bytes that the record takes in memory and in the store. */
    long bytes() {
        long bytes = length(input.key()) + length(input.value());
        for (Header header : input.headers()) {
            bytes += header.key().length() + length(header.value());
        }
        return bytes;
    }

    private static long length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
