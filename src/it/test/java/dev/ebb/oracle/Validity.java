package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.oracle.World.Input;
import java.util.stream.Stream;
import org.apache.avro.generic.GenericRecord;

/** Rules by which records can be used (O-20, O-24). */
final class Validity {

    private static final long HOUR_MS = 3_600_000;
    /** The first moment of 1971 and the last of 9999; a number outside has another unit than milliseconds (O-22). */
    private static final long FIRST_MS = 31_536_000_000L;

    private static final long LAST_MS = 253_402_300_799_999L;

    private static final int MOST_TEXT_BYTES = 1024;

    private Validity() {}

    /**
     * Reason why a record must be rejected whenever it is taken in; null if nothing speaks against it but its size or a
     * hold.
     *
     * @param latestMs a moment by which it had been taken in
     */
    static String fault(Input input, long latestMs) {
        GenericRecord value = input.value();
        if (value == null) {
            return "unreadable";
        }
        String kind = Intake.kind(input);
        boolean isExecution = kind.equals(Intake.EXECUTION);
        if (!Names.isGoodStream(Fields.text(value, "stream"))) {
            return "bad name of stream";
        }
        if (!isExecution && !Names.isGood(Fields.text(value, "id"))) {
            return "bad id";
        }
        String parent = isExecution ? Fields.textOrEmpty(value, "parent") : "";
        if (!parent.isEmpty() && !Names.isGoodStream(parent)) {
            return "bad name of parent";
        }
        String text = faultOfTexts(value);
        if (text != null) {
            return text;
        }
        if (input.timestampMs() < 0) {
            return "negative timestamp";
        }
        if (!kind.equals(Intake.UPDATE) && Fields.number(value, "execution") < 0) {
            return "negative execution";
        }
        String ttl = isExecution ? null : faultOfTtl(value);
        return ttl != null ? ttl : faultOfTimes(input, latestMs + HOUR_MS);
    }

    private static String faultOfTexts(GenericRecord value) {
        String status = Fields.textOrEmpty(value, "status");
        if (!status.isEmpty() && !Names.isGoodStatus(status)) {
            return "bad status";
        }
        return Stream.of("type", "correlationId", "contentType")
                .filter(field -> value.getSchema().getField(field) != null)
                .filter(field -> {
                    String text = Fields.textOrEmpty(value, field);
                    return text.indexOf(0) >= 0 || text.getBytes(UTF_8).length > MOST_TEXT_BYTES;
                })
                .findFirst()
                .map(field -> "bad " + field)
                .orElse(null);
    }

    private static String faultOfTtl(GenericRecord value) {
        Long seconds = Fields.number(value, "ttlSeconds");
        Long expiresAt = Fields.number(value, "expiresAt");
        boolean isBad = (seconds != null && seconds <= 0)
                || (expiresAt != null && (expiresAt < FIRST_MS || expiresAt > LAST_MS))
                || (Fields.truth(value, "noExpiration") && (seconds != null || expiresAt != null));
        return isBad ? "bad TTL" : null;
    }

    private static String faultOfTimes(Input input, long limitMs) {
        return Stream.of("occurredAt", "startedAt", "completedAt")
                .filter(field -> input.value().getSchema().getField(field) != null)
                .filter(field -> {
                    Long named = Fields.number(input.value(), field);
                    boolean hasDefault = !field.equals("startedAt");
                    long time = named != null ? named : hasDefault ? input.timestampMs() : 0;
                    return (named != null && time < FIRST_MS) || time > limitMs;
                })
                .findFirst()
                .map(field -> field + " out of bounds")
                .orElse(null);
    }
}
