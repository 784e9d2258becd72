package dev.ebb.domain.source;

/** Reads the parts of records in the formats of one source (F-3). */
@FunctionalInterface
public interface SourceReader {

    /** Returns the record with its parts, which are read when they are needed. */
    SourceContent read(SourceRecord record);
}
