package dev.ebb.bench.harness;

/** Quality of a figure. */
public enum Grade {
    /** The gate is missed. */
    MISSED,
    /** The gate is met. */
    GATE,
    /** The aim is met. */
    AIM,
    /** There is no target. */
    REPORTED,
    /** Not measured, since this machine lacks a program. */
    SKIPPED
}
