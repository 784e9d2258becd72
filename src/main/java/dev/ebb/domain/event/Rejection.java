package dev.ebb.domain.event;

/**
 * Why one record was rejected.
 *
 * @param reason the kind of fault
 * @param detail the fault itself, as a sentence without a full stop
 */
public record Rejection(RejectReason reason, String detail) {}
