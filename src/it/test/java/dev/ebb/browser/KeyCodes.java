package dev.ebb.browser;

import java.util.Map;

/** Numbers of keys, as browsers know them. */
final class KeyCodes {

    private static final Map<String, Integer> CODES = Map.of(
            "Tab",
            9,
            "Enter",
            13,
            "Escape",
            27,
            "Space",
            32,
            "End",
            35,
            "Home",
            36,
            "ArrowLeft",
            37,
            "ArrowRight",
            39,
            "ArrowDown",
            40);

    private KeyCodes() {}

    static int of(String key) {
        Integer code = CODES.get(key);
        if (code == null) {
            throw new IllegalArgumentException("no code is known for the key " + key);
        }
        return code;
    }
}
