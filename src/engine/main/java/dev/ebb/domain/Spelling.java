package dev.ebb.domain;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably intended. */
public final class Spelling {

    private static final int LETTERS_PER_MISTAKE = 4;

    private Spelling() {}

    /**
     * Returns the known word that differs least, if it differs in capitals alone, or in at most one letter of four and not in
     * all.
     */
    public static Optional<String> closest(String word, Collection<String> known) {
        return known.stream()
                .filter(candidate -> candidate.equalsIgnoreCase(word))
                .min(Comparator.naturalOrder())
                .or(() -> nearest(word, known));
    }

    private static Optional<String> nearest(String word, Collection<String> known) {
        int most = Math.max(1, word.length() / LETTERS_PER_MISTAKE);
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
                .filter(candidate -> distance(word, candidate) <= most)
                .filter(candidate -> distance(word, candidate) < Math.min(word.length(), candidate.length()));
    }

    /** Returns the fault of a field that does not exist, with the one that was probably intended. */
    public static String unknownField(String name, Collection<String> known) {
        String plain = plain(name);
        String meant = known.stream()
                .filter(field -> plain(field).equals(plain))
                .findFirst()
                .or(() -> closest(name, known))
                .map(field -> "; did you mean " + field + "?")
                .orElse("");
        return "unknown field '" + name + "'" + meant;
    }

    /** Returns the name without what people write in different ways: capitals, and signs between words. */
    private static String plain(String name) {
        return name.replaceAll("[-_. ]", "").toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the number of letters that must be inserted, removed, replaced, or swapped with their neighbour to turn one
     * word into the other.
     */
    private static int distance(String a, String b) {
        int[] before = new int[0];
        int[] above = new int[b.length() + 1];
        for (int j = 0; j < above.length; j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], before[j - 2] + 1);
                }
            }
            before = above;
            above = row;
        }
        return above[b.length()];
    }
}
