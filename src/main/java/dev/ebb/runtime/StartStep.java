package dev.ebb.runtime;

/**
 * One thing that has to be there before the next may begin.
 *
 * @param what what the instance waits for, for people
 * @param action looks for it; throws what {@code isWaiting} knows if it is not there yet
 */
record StartStep(String what, Runnable action) {}
