package dev.ebb.config;

/**
 * A given value.
 *
 * @param text the value
 * @param source the source of the value, for people
 */
record SettingValue(String text, String source) {}
