package dev.ebb.sink;

/** Keys and rows of the table {@code thing}. */
final class ThingBytes {

    private ThingBytes() {}

    static String key(String name) {
        return "{\"at\":\"2026-01-01T00:00:00.000Z\",\"name\":\"" + name + "\"}";
    }

    static String row(String name, String kind) {
        return "{\"at\":\"2026-01-01T00:00:00.000Z\",\"name\":\"" + name + "\",\"kind\":\"" + kind + "\"}";
    }

    static String row(String name, String kind, String colour) {
        return row(name, kind).replace("}", ",\"colour\":\"" + colour + "\"}");
    }
}
