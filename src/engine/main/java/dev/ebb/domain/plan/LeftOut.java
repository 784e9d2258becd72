package dev.ebb.domain.plan;

/** Reasons for which an event of a plan stays when the plan is carried out. */
public enum LeftOut {
    /** The event is no longer stored. */
    GONE,
    /** Another event has its id now, or its stream has had another event since and would go as a whole. */
    CHANGED,
    /** A hold covers its stream. */
    HELD,
    /** It is protected, or its stream or an ancestor is open. */
    PROTECTED,
    /** The policies in force, or the condition of the command, keep it by now. */
    KEPT,
    /** Its stream cannot be touched now: records of it wait, or it is quarantined. */
    NOT_READY,
    /** Its stream has a fault. */
    FAILED
}
