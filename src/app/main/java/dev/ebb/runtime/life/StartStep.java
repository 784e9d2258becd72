package dev.ebb.runtime.life;

/**
 * A condition of the start that must be met before the next step.
 *
 * @param what the thing that the instance waits for, for people
 * @param action checks the condition, and throws if it is not met
 */
public record StartStep(String what, Runnable action) {}
