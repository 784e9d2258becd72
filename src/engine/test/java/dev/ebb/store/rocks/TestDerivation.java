package dev.ebb.store.rocks;

import java.nio.charset.StandardCharsets;

/** Entry {@code i<id>} for each record of the ranges {@code r} and {@code m}, and {@code w<value>} for those of {@code m}. */
final class TestDerivation implements Derivation {

    @Override
    public boolean isLookup(byte[] key) {
        return key[0] == 'i';
    }

    @Override
    public boolean isSource(byte[] key) {
        return key[0] == 'r' || key[0] == 'm';
    }

    @Override
    public boolean mayChange(byte[] key) {
        return key[0] == 'm';
    }

    @Override
    public void derive(byte[] key, byte[] value, Entries entries) {
        if (isSource(key)) {
            // Of an m the text before the dash: all its values have the same.
            entries.add(bytes("i" + text(value).split("-")[0]), () -> key);
        }
        if (key[0] == 'm') {
            entries.add(bytes("w" + text(value)), () -> new byte[0]);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
