package dev.ebb.simulation;

import java.util.EnumSet;
import java.util.Set;

/** Ingredients of walks. Any can be left out, so that walks go on past a known fault. Immutable. */
final class Mix {

    /** Something that a walk may contain. */
    enum Ingredient {
        EXECUTIONS,
        OWN_TTL,
        INFINITE,
        CAPS,
        KEEP_LAST,
        MIN_AGE,
        ANCHORS,
        WARN,
        WINDOWS,
        INTERVALS,
        ARCHIVE,
        POLICIES,
        HOLDS,
        FILES,
        BRAKE,
        PRUNE,
        DELETE,
        PURGE,
        EVENT_DELETE,
        SET_TTL,
        HAND_SWEEP,
        DRY_RUN,
        REGISTRY,
        CLOCKS,
        ABORTS,
        MOVES,
        CRASHES,
        COMPACTION,
        READERS,
        REKEY,
        REPEATS,
        STRANGE_ERRANDS,
        SETTINGS,
        UNDO,
        MIRROR
    }

    static final Mix ALL = new Mix(EnumSet.allOf(Ingredient.class));

    static final Mix NONE = new Mix(EnumSet.noneOf(Ingredient.class));

    private final Set<Ingredient> ingredients;

    private Mix(Set<Ingredient> ingredients) {
        this.ingredients = ingredients;
    }

    /** Nothing but events, updates, commits and those. */
    static Mix of(Ingredient first, Ingredient... more) {
        return new Mix(EnumSet.of(first, more));
    }

    Mix with(Ingredient ingredient) {
        EnumSet<Ingredient> more = EnumSet.of(ingredient);
        more.addAll(ingredients);
        return new Mix(more);
    }

    Mix without(Ingredient... left) {
        EnumSet<Ingredient> rest = EnumSet.copyOf(ingredients);
        rest.removeAll(Set.of(left));
        return new Mix(rest);
    }

    boolean has(Ingredient ingredient) {
        return ingredients.contains(ingredient);
    }

    /** The mix as a number in a script. */
    String encode() {
        long bits = 0;
        for (Ingredient ingredient : ingredients) {
            bits |= 1L << ingredient.ordinal();
        }
        return Long.toHexString(bits);
    }

    static Mix decode(String text) {
        long bits = Long.parseUnsignedLong(text, 16);
        EnumSet<Ingredient> ingredients = EnumSet.noneOf(Ingredient.class);
        for (Ingredient ingredient : Ingredient.values()) {
            if ((bits >>> ingredient.ordinal() & 1) == 1) {
                ingredients.add(ingredient);
            }
        }
        return new Mix(ingredients);
    }
}
