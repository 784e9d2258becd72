package dev.ebb.domain.receipt;

import java.util.List;

/** Makes notes of texts, signed or not. Thread-safe. */
@FunctionalInterface
public interface NoteSigner {

    /** Signs nothing, for want of a key. */
    NoteSigner NONE = text -> new SignedNote(text, List.of());

    /** @param text ends with a line break */
    SignedNote sign(String text);
}
