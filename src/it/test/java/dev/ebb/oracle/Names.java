package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Utils;

/** Rules of the model about names, statuses and places. */
final class Names {

    private static final Set<String> TERMINAL = Set.of("completed", "failed", "cancelled", "read");

    private static final Pattern UNSEEN = unseen();

    private Names() {}

    static boolean isGood(String name) {
        return !name.isEmpty()
                && name.getBytes(UTF_8).length <= 255
                && UTF_8.newEncoder().canEncode(name)
                && name.codePoints().noneMatch(Character::isISOControl)
                && !isBlank(name.codePointAt(0))
                && !isBlank(name.codePointBefore(name.length()));
    }

    /** A status that looks like a terminal one and is none would protect its event for ever (O-24). */
    static boolean isGoodStatus(String status) {
        return isGood(status) && !UNSEEN.matcher(status).find();
    }

    /** A stream's namespace must be a name too (O-23). */
    static boolean isGoodStream(String name) {
        int slash = name.indexOf('/');
        return isGood(name) && (slash < 0 || isGood(name.substring(0, slash)));
    }

    private static Pattern unseen() {
        String characters = "[\\u00AD\\u061C\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF]";
        return Pattern.compile("^" + characters + "|" + characters + "$");
    }

    private static boolean isBlank(int point) {
        return Character.isWhitespace(point) || Character.isSpaceChar(point);
    }

    static String namespace(String stream) {
        int slash = stream.indexOf('/');
        return slash < 0 ? "default" : stream.substring(0, slash);
    }

    /** Returns true if a status is that of finished work or of a plain fact; the default of the setting. */
    static boolean isTerminal(String status) {
        return status == null || status.isEmpty() || TERMINAL.contains(status.toLowerCase(Locale.ROOT));
    }

    static int partition(String stream, int partitions) {
        return Utils.toPositive(Utils.murmur2(stream.getBytes(UTF_8))) % partitions;
    }
}
