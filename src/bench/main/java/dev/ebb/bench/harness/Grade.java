package dev.ebb.bench.harness;

/** Quality of a figure. */
public enum Grade {
    /** Not good enough. */
    MISSED,
    /** Good enough. */
    GATE,
    /** As good as it should be. */
    AIM,
    /** Nothing was asked of it. */
    REPORTED,
    /** Not measured, since a program that it needs is not on this machine. */
    SKIPPED
}
