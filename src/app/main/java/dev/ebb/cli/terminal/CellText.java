package dev.ebb.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text that fits into a cell: without control characters, and measured in columns of the terminal. */
public final class CellText {

    private static final String MORE = "…";

    private CellText() {}

    /** Returns the text with an escape, such as {@code \u001b}, for every character that a terminal would act upon. */
    public static String safe(String text) {
        if (isPlain(text)) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(codePoint -> appendSafe(safe, codePoint));
        return safe.toString();
    }

    /** Returns the number of columns of the text: two for wide characters, none for combining ones. */
    public static int width(String text) {
        if (isPlain(text)) {
            return text.length();
        }
        return text.codePoints().map(CellText::width).sum();
    }

    /** Returns the text, with an ellipsis in place of its end if it takes more columns. */
    public static String cut(String text, int columns) {
        if (width(text) <= columns) {
            return text;
        }
        StringBuilder cut = new StringBuilder();
        int used = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            used += width(codePoint);
            if (used > columns - 1) {
                break;
            }
            cut.appendCodePoint(codePoint);
            i += Character.charCount(codePoint);
        }
        return cut + MORE;
    }

    /** Returns the text in lines of at most that many columns, broken at blanks where possible; at least one line. */
    public static List<String> wrap(String text, int columns) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && width(line + " " + word) > columns) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
            while (width(line.toString()) > columns && line.codePointCount(0, line.length()) > 1) {
                int end = fitting(line, columns);
                lines.add(line.substring(0, end));
                line.delete(0, end);
            }
        }
        lines.add(line.toString());
        return lines;
    }

    /** Returns true if the text consists of common characters, as most cells do: none has to be looked up. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    /** Returns the length of the longest beginning within that number of columns; at least one character. */
    private static int fitting(CharSequence text, int columns) {
        int end = Character.charCount(Character.codePointAt(text, 0));
        int used = width(Character.codePointAt(text, 0));
        while (end < text.length() && used + width(Character.codePointAt(text, end)) <= columns) {
            used += width(Character.codePointAt(text, end));
            end += Character.charCount(Character.codePointAt(text, end));
        }
        return end;
    }

    private static void appendSafe(StringBuilder safe, int codePoint) {
        switch (Character.getType(codePoint)) {
            // Format characters can reverse the direction of the text after them, so that one name looks like another.
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> safe.append(String.format("\\u%04x", codePoint));
            default -> safe.appendCodePoint(codePoint);
        }
    }

    private static int width(int codePoint) {
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        return isWide(codePoint) ? 2 : 1;
    }

    /** Returns true for East Asian wide characters and emoji, roughly: one column too many only leaves a gap. */
    private static boolean isWide(int codePoint) {
        return codePoint >= 0x1100
                && (codePoint <= 0x115f
                        || (codePoint >= 0x2e80 && codePoint <= 0xa4cf)
                        || (codePoint >= 0xac00 && codePoint <= 0xd7a3)
                        || (codePoint >= 0xf900 && codePoint <= 0xfaff)
                        || (codePoint >= 0xfe30 && codePoint <= 0xfe6f)
                        || (codePoint >= 0xff00 && codePoint <= 0xff60)
                        || (codePoint >= 0xffe0 && codePoint <= 0xffe6)
                        || (codePoint >= 0x1f300 && codePoint <= 0x1faff)
                        || (codePoint >= 0x20000 && codePoint <= 0x3fffd));
    }
}
