package dev.ebb.domain;

/** Shortens texts from outside, such as a reason or a name in a message. Stateless. */
public final class Shortened {

    private Shortened() {}

    /**
     * Returns the text, or its beginning with a note of its full length; the note adds some 30 characters to {@code
     * mostChars}.
     */
    public static String to(int mostChars, String text) {
        if (text.length() <= mostChars) {
            return text;
        }
        boolean splitsPair = Character.isHighSurrogate(text.charAt(mostChars - 1));
        return text.substring(0, splitsPair ? mostChars - 1 : mostChars) + "… (" + text.length() + " characters)";
    }
}
