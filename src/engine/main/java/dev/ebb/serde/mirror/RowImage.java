package dev.ebb.serde.mirror;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ebb.domain.Sha256;
import dev.ebb.serde.mirror.MirrorTable.Column;
import dev.ebb.serde.text.OutsideJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of the mirror, made from the bytes for the sink or from the row in SQL, with each value in a form that is
 * common to both. Equal images are equal rows. Immutable.
 */
public final class RowImage {

    private static final ObjectMapper JSON = JsonMapper.builder(OutsideJson.ofStored())
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private static final YearMonth FIRST_MONTH = YearMonth.of(1970, 1);
    private static final YearMonth LAST_MONTH = YearMonth.of(9999, 12);
    private static final int STORED_AT = 1;
    private static final int LENGTH_BYTES = 4;

    private final MirrorTable table;
    private final List<@Nullable String> values;

    private RowImage(MirrorTable table, List<@Nullable String> values) {
        this.table = table;
        this.values = Collections.unmodifiableList(values);
    }

    /** Collects the values of a row in the order of the columns of its table. */
    public static final class Builder {

        private final MirrorTable table;
        private final List<@Nullable String> values;

        public Builder(MirrorTable table) {
            this.table = table;
            this.values = new ArrayList<>(table.columns().size());
        }

        /** Adds a text, a number or a truth value as SQL writes it, or the SHA-256 of bytes in hexadecimal. */
        public Builder plain(@Nullable String value) {
            values.add(value);
            return this;
        }

        public Builder time(@Nullable Instant value) {
            values.add(value == null ? null : value.toString());
            return this;
        }

        public Builder json(@Nullable String value) {
            values.add(value == null || value.equals("{}") ? value : canonical(value));
            return this;
        }

        public RowImage build() {
            if (values.size() != table.columns().size()) {
                throw new IllegalStateException(
                        values.size() + " values for " + table.columns().size() + " columns");
            }
            return new RowImage(table, values);
        }
    }

    /** Returns the image of a row written by {@link MirrorRows}. */
    public static RowImage of(MirrorTable table, byte[] mirrorRow) {
        Builder row = new Builder(table);
        try {
            JsonNode json = JSON.readTree(mirrorRow);
            for (Column column : table.columns()) {
                add(row, column, json.get(column.name()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a row of ours is no JSON", e);
        }
        return row.build();
    }

    private static void add(Builder row, Column column, @Nullable JsonNode value) throws IOException {
        if (value == null) {
            row.plain(null);
            return;
        }
        switch (column.kind()) {
            case TIME -> row.time(Instant.parse(value.textValue()));
            case JSON -> row.json(value.textValue());
            case BYTES -> row.plain(hex(Sha256.digest().digest(value.binaryValue())));
            case TEXT, NUMBER, TRUTH -> row.plain(value.asText());
        }
    }

    /** Returns all values in the order of the columns; null for a missing value. */
    List<@Nullable String> values() {
        return values;
    }

    /** Returns the stream, which is the first column of every table. */
    public String stream() {
        return value(0);
    }

    /** Returns the values of the key, as texts. */
    public List<String> key() {
        return values.subList(0, table.key().size()).stream()
                .map(String::valueOf)
                .toList();
    }

    /** Returns the month in which the row is counted; empty for an execution, which has none. */
    public String month() {
        return table == MirrorTable.EVENTS
                ? monthOf(Instant.parse(value(STORED_AT))).toString()
                : "";
    }

    /**
     * Returns the month (UTC) of a time; times before the first or after the last possible month count in that month.
     */
    public static YearMonth monthOf(Instant time) {
        if (time.getEpochSecond() < 0) {
            return FIRST_MONTH;
        }
        return time.getEpochSecond() >= endOf(LAST_MONTH).getEpochSecond()
                ? LAST_MONTH
                : YearMonth.from(time.atOffset(ZoneOffset.UTC));
    }

    /** Returns the first moment of the month; null for the first month, which includes all times before it. */
    public static @Nullable Instant firstOf(YearMonth month) {
        return month.equals(FIRST_MONTH)
                ? null
                : month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Returns the first moment after the month; null for the last month, which includes all later times. */
    public static @Nullable Instant behind(YearMonth month) {
        return month.equals(LAST_MONTH) ? null : endOf(month);
    }

    private static Instant endOf(YearMonth month) {
        return month.plusMonths(1).atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Returns the names of the columns in which another row of the same table differs. */
    public List<String> differences(RowImage other) {
        List<String> differing = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            if (!Objects.equals(values.get(i), other.values.get(i))) {
                differing.add(table.columns().get(i).name());
            }
        }
        return differing;
    }

    /**
     * Returns the SHA-256 over all values, each with its length before it, so that no byte can move from one value to
     * the next.
     */
    public byte[] digest() {
        MessageDigest sha = Sha256.digest();
        byte[] length = new byte[LENGTH_BYTES];
        for (String value : values) {
            byte[] bytes = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
            int size = bytes == null ? -1 : bytes.length;
            for (int i = 0; i < LENGTH_BYTES; i++) {
                length[i] = (byte) (size >>> (Byte.SIZE * i));
            }
            sha.update(length);
            if (bytes != null) {
                sha.update(bytes);
            }
        }
        return sha.digest();
    }

    @Override
    public String toString() {
        return table + String.valueOf(key());
    }

    private String value(int column) {
        return String.valueOf(values.get(column));
    }

    /**
     * Returns the JSON in a canonical form. A value written by hand may be any JSON; if a field occurs twice, the last
     * one counts.
     */
    private static String canonical(String json) {
        try {
            return JSON.writeValueAsString(JSON.readValue(json, Object.class));
        } catch (JsonProcessingException e) {
            return json;
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
