package dev.ebb.serde.records;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The positions of the fields of one of Ebb's records in records of this type from another version or another author.
 * Immutable.
 */
public final class FieldMap {

    private static final int ABSENT = -1;

    private final Schema theirs;
    private final int[] positions;
    private final @Nullable String[] times;
    private final List<Schema.Field> unknown;

    /** @param times the forms of Ebb's fields in their records, where their values need a conversion */
    private FieldMap(Schema theirs, int[] positions, @Nullable String[] times, List<Schema.Field> unknown) {
        this.theirs = theirs;
        this.positions = positions;
        this.times = times;
        this.unknown = unknown;
    }

    public static FieldMap of(Schema ours, Schema theirs) {
        int[] positions = new int[ours.getFields().size()];
        Arrays.fill(positions, ABSENT);
        @Nullable String[] times = new String[positions.length];
        List<Schema.Field> unknown = new ArrayList<>(theirs.getFields());
        for (Schema.Field field : ours.getFields()) {
            for (Schema.Field other : theirs.getFields()) {
                if (isSame(field, other) && positions[field.pos()] == ABSENT) {
                    positions[field.pos()] = other.pos();
                    times[field.pos()] = LogicalTimes.of(field.name(), other.schema());
                    unknown.remove(other);
                }
            }
        }
        return new FieldMap(theirs, positions, times, List.copyOf(unknown));
    }

    /**
     * Returns true if a record of their schema is of the type of Ebb's schema: by its full name, or by an alias of
     * either schema.
     */
    public static boolean isSameType(Schema ours, Schema theirs) {
        return ours.getFullName().equals(theirs.getFullName())
                || isRecordAlias(theirs, ours)
                || isRecordAlias(ours, theirs);
    }

    /** Returns true if the map was made for exactly this schema. */
    @SuppressWarnings("ReferenceEquality")
    boolean isFor(Schema schema) {
        return theirs == schema;
    }

    /** Returns the value of Ebb's field in their record; null if their record has no such field. */
    @Nullable
    Object get(IndexedRecord theirs, Schema.Field field) {
        int position = positions[field.pos()];
        if (position == ABSENT) {
            return null;
        }
        String time = times[field.pos()];
        return time == null ? theirs.get(position) : LogicalTimes.ms(time, field.name(), theirs.get(position));
    }

    /** Returns all non-null values of their record by name, including those of fields that Ebb does not have. */
    Map<String, Object> values(Schema ours, IndexedRecord theirs) {
        Map<String, Object> values = new HashMap<>();
        ours.getFields().forEach(field -> put(values, field.name(), get(theirs, field)));
        unknown.forEach(field -> put(values, field.name(), theirs.get(field.pos())));
        return values;
    }

    private static void put(Map<String, Object> values, String name, @Nullable Object value) {
        if (value != null) {
            values.put(name, value instanceof CharSequence text ? text.toString() : value);
        }
    }

    private static boolean isSame(Schema.Field ours, Schema.Field theirs) {
        return ours.name().equals(theirs.name()) || isAlias(theirs.aliases(), ours) || isAlias(ours.aliases(), theirs);
    }

    private static boolean isAlias(Set<String> aliases, Schema.Field field) {
        return aliases.contains(field.name());
    }

    private static boolean isRecordAlias(Schema aliased, Schema named) {
        return aliased.getType() == Schema.Type.RECORD && aliased.getAliases().contains(named.getFullName());
    }
}
