package dev.ebb.sink;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Types of the mirror's columns, each with its value in the binary form of PostgreSQL's COPY
 * (https://www.postgresql.org/docs/17/sql-copy.html, "Binary Format", and the functions {@code *_recv} of the types).
 */
enum ColumnType {
    TEXT("text") {
        @Override
        void write(JsonParser json, CopyBuffer out) throws IOException {
            out.sized(json.getText().getBytes(StandardCharsets.UTF_8));
        }
    },
    NUMBER("int8") {
        @Override
        void write(JsonParser json, CopyBuffer out) throws IOException {
            out.putInt(Long.BYTES).putLong(json.getLongValue());
        }
    },
    TRUTH("bool") {
        @Override
        void write(JsonParser json, CopyBuffer out) throws IOException {
            out.putInt(1).putByte(json.getBooleanValue() ? 1 : 0);
        }
    },
    /** A text in UTC, such as {@code 2026-11-21T10:00:00.001Z}. */
    TIME("timestamptz") {
        @Override
        void write(JsonParser json, CopyBuffer out) throws IOException {
            try {
                out.putInt(Long.BYTES).putLong(PostgresTime.micros(json.getText()));
            } catch (DateTimeException | ArithmeticException e) {
                throw new BadRowException("it has a text that is no time", e);
            }
        }
    },
    /** JSON inside a text. */
    JSON("jsonb") {
        private static final int FORMAT = 1;

        @Override
        void write(JsonParser json, CopyBuffer out) throws IOException {
            byte[] text = json.getText().getBytes(StandardCharsets.UTF_8);
            out.putInt(1 + text.length).putByte(FORMAT).put(text);
        }
    },
    /** Bytes, which are Base64 in JSON. */
    BYTES("bytea") {
        @Override
        void write(JsonParser json, CopyBuffer out) throws IOException {
            out.sized(json.getBinaryValue());
        }
    };

    private final String sqlName;

    ColumnType(String sqlName) {
        this.sqlName = sqlName;
    }

    /** Writes the value at the position of the parser, with its length before it; never a null. */
    abstract void write(JsonParser json, CopyBuffer out) throws IOException;

    /** Returns the value in the form of COPY, without its length, as JSON; for the types that a key may have. */
    String json(ByteBuffer value) {
        return switch (this) {
            case TEXT -> JsonText.quoted(StandardCharsets.UTF_8.decode(value).toString());
            case NUMBER -> Long.toString(value.getLong());
            case TRUTH -> Boolean.toString(value.get() != 0);
            case TIME -> JsonText.quoted(PostgresTime.text(value.getLong()));
            case JSON, BYTES -> "null";
        };
    }

    /** Returns the name of the type in PostgreSQL's catalogue, which is used to make arrays of it. */
    String sqlName() {
        return sqlName;
    }

    /** Returns the type with this name in PostgreSQL; empty if no column of the mirror has it. */
    static Optional<ColumnType> of(String sqlName) {
        return Stream.of(values()).filter(type -> type.sqlName.equals(sqlName)).findFirst();
    }
}
