package dev.ebb.domain.event;

/** Why a record cannot be used (O-20). The names stand in the headers of the rejected topic. */
public enum RejectReason {
    /** Its bytes are not Avro in the wire format, or do not fit their schema. */
    UNDECODABLE,
    /** The registry does not know its schema. */
    UNKNOWN_SCHEMA,
    /** It is of a record type that this topic does not carry. */
    WRONG_TYPE,
    /** It names no stream. */
    NO_STREAM,
    /** It names no event. */
    NO_ID,
    /** Its stream or id breaks the rules of names. */
    BAD_NAME,
    /** One of its times is before 1970 or more than an hour in the future. */
    BAD_TIME,
    /** Its Kafka timestamp is negative. */
    BAD_TIMESTAMP,
    /** It names no execution where it must, or a negative one. */
    BAD_EXECUTION,
    /** Its TTL is not positive, or stands together with {@code noExpiration}. */
    BAD_TTL,
    /** It has more names in its metadata, or longer ones or longer values, than an event may have. */
    BAD_METADATA,
    /** It, or what must be written for it, is bigger than the limit. */
    TOO_BIG,
    /** It uses something that this version does not support. */
    UNSUPPORTED,
    /** A hold covers the event that it would replace (M-18). */
    HELD,
    /** It is an event that was produced before a command deleted its stream (O-10). */
    STREAM_DELETED,
    /** It is a policy that cannot mean what its author wants (M-11). */
    BAD_POLICY,
    /** It is a command that contradicts itself or names what nobody can mean. */
    BAD_COMMAND,
    /** Something that nobody foresaw went wrong with this record alone; the detail names it. */
    FAILED,
    /** It could not be taken in yet, and there was no room left for records that wait. */
    PARKED_FULL,
    /** It could not be taken in for so long that a command dropped it. */
    DROPPED
}
