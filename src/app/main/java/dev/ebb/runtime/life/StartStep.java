package dev.ebb.runtime.life;

/**
 * One thing that has to be there before the next may begin.
 *
 * @param what names for people the thing that the instance waits for
 * @param action looks for it, and throws if it is not there
 */
public record StartStep(String what, Runnable action) {}
