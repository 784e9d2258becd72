package dev.ebb.config;

/**
 * A value as it was given.
 *
 * @param text the value
 * @param source where it was given, for people
 */
record SettingValue(String text, String source) {}
