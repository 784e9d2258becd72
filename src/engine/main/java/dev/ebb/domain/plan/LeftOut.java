package dev.ebb.domain.plan;

/** Reasons why an event of a plan stays when the plan is carried out. */
public enum LeftOut {
    /** The event is no longer stored. */
    GONE,
    /** Another event has the same id now, or the stream would go as a whole but has received another event. */
    CHANGED,
    /** A hold covers the stream of the event. */
    HELD,
    /** The event is protected, or its stream or an ancestor is open. */
    PROTECTED,
    /** The policies now in force, or the condition of the command, keep the event. */
    KEPT,
    /** The stream is not ready: records of it wait, or it is quarantined. */
    NOT_READY,
    /** The stream has a fault. */
    FAILED,
    /** The event has matched an erasure only since the brake counted, which leaves no room for it. */
    UNCOUNTED
}
