package dev.ebb.domain.receipt;

import java.util.List;

/** A maker of notes, signed or not. Thread-safe. */
@FunctionalInterface
public interface NoteSigner {

    /** Makes notes without a signature, for want of a key. */
    NoteSigner NONE = text -> new SignedNote(text, List.of());

    /** @param text ends with a line break */
    SignedNote sign(String text);
}
