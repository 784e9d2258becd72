package dev.ebb.domain.event;

/** Reasons why a record cannot be used (O-20). The names of the reasons are in the headers of the rejected topic. */
public enum RejectReason {
    /** The bytes of the record are not Avro in the wire format, or do not fit their schema. */
    UNDECODABLE,
    /** The registry does not know the schema of the record. */
    UNKNOWN_SCHEMA,
    /** The record is of a type that this topic does not carry. */
    WRONG_TYPE,
    /** The record names no stream. */
    NO_STREAM,
    /** The record names no event. */
    NO_ID,
    /** The stream, the id or the status of the record breaks the rules of names. */
    BAD_NAME,
    /** A time of the record is before 1971, which is another unit than milliseconds, or more than an hour in the future. */
    BAD_TIME,
    /** The Kafka timestamp of the record is negative. */
    BAD_TIMESTAMP,
    /** The record names a negative execution, or none where one is required. */
    BAD_EXECUTION,
    /** The TTL of the record is not positive, or stands together with {@code noExpiration}. */
    BAD_TTL,
    /** The type, correlation id or content type of the record is too long, or has characters that SQL cannot hold. */
    BAD_TEXT,
    /**
     * The metadata of the record has more names, longer names or longer values than an event may have, or characters
     * that SQL cannot hold.
     */
    BAD_METADATA,
    /** The record, or another record that must be written for it, exceeds the limit. */
    TOO_BIG,
    /** The record uses something that this version does not support. */
    UNSUPPORTED,
    /** A hold covers the event that the record would replace (M-18). */
    HELD,
    /** The record is an event that was produced before a command deleted its stream (O-10). */
    STREAM_DELETED,
    /** The record is a policy that its author cannot have intended (M-11). */
    BAD_POLICY,
    /** The record is a command that contradicts itself or has an invalid value. */
    BAD_COMMAND,
    /** The record of a source lacks a value without which it is no event (F-11). */
    SOURCE_PATH,
    /** A value of the record of a source has another type than the field that it should fill. */
    SOURCE_TYPE,
    /** The stream, the id, the status or a text that the record of a source gives breaks the rules for events. */
    SOURCE_NAME,
    /** The key or the value of the record of a source is not in its declared format. */
    SOURCE_CONVERTER,
    /** An unforeseen fault occurred with this record alone; the detail names it. */
    FAILED,
    /** The record could not be taken in yet, and the room for waiting records was full. */
    PARKED_FULL,
    /** The record could not be taken in, and a command dropped it. */
    DROPPED
}
