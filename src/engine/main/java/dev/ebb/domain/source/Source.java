package dev.ebb.domain.source;

import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.event.StreamName;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A topic of another application, and the way in which its records become events (F-1). Immutable; two sources are
 * equal if their declarations are.
 *
 * @param name the name of the source, by the rules of names; unique
 * @param topic the topic of the other application
 * @param form the meaning of a record: a row of a table, or an entry of a log
 * @param key the format of keys
 * @param value the format of values
 * @param fields the parts of the event and where they stand in the record
 * @param keep the part of a record that is stored
 * @param from the place at which reading begins the first time
 * @param target the consequence of a removal for the topic itself
 * @param isPaused true if the topic is not read for now; its events stay, and sweeps send no tombstones there
 */
public record Source(
        String name,
        String topic,
        Form form,
        FormatChoice key,
        FormatChoice value,
        SourceFields fields,
        Keep keep,
        SourceStart from,
        SourceTarget target,
        boolean isPaused) {

    /** Maximum number of sources. */
    public static final int MAX_SOURCES = 64;

    /** Maximum number of paths of one source. */
    public static final int MAX_PATHS = 16;

    /** Meanings of a record. */
    public enum Form {
        /** The key is the identity: a newer record replaces the event, a null value removes it. */
        TABLE,
        /** Each record is an event of its own. */
        LOG;

        /** Returns the word of a declaration. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the form of a word; empty if there is none. */
        public static Optional<Form> parse(String text) {
            return Stream.of(values()).filter(form -> form.text().equals(text)).findFirst();
        }
    }

    /** Parts of a record that are stored. */
    public enum Keep {
        /** Its place on the topic alone; reads, SQL, archive and undo have no bytes of it. */
        REFERENCE,
        /** The bytes of its value too. */
        PAYLOAD;

        /** Returns the word of a declaration. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the choice of a word; empty if there is none. */
        public static Optional<Keep> parse(String text) {
            return Stream.of(values()).filter(keep -> keep.text().equals(text)).findFirst();
        }
    }

    /** @throws IllegalArgumentException if the name breaks the rules of names */
    public Source {
        String problem = NameRule.problem(name);
        if (problem != null) {
            throw new IllegalArgumentException("the name of a source " + problem);
        }
    }

    /** Returns the same source on another topic. */
    public Source onTopic(String other) {
        return new Source(name, other, form, key, value, fields, keep, from, target, isPaused);
    }

    /** Returns the same source, paused or not. */
    public Source paused(boolean willPause) {
        return new Source(name, topic, form, key, value, fields, keep, from, target, willPause);
    }

    /** Returns the topic of its tombstones: another one, or its own; of no meaning without them. */
    public String tombstoneTopic() {
        return target.topic().isEmpty() ? topic : target.topic();
    }

    /** Returns true if each key is an identity. */
    public boolean isTable() {
        return form == Form.TABLE;
    }

    /**
     * Returns true if the key alone names the stream, so that a null value needs no memory of the stream in which the
     * event of that key is (F-4).
     */
    public boolean isStreamNamedByKey() {
        return fields.stream().paths().stream().allMatch(SourcePath::isOfIdentity);
    }

    /** Returns true if the source may lead into that stream. */
    public boolean mayHave(StreamName stream) {
        SourceTemplate template = fields.stream();
        return template.isFixed()
                ? template.prefix().equals(stream.value())
                : stream.value().startsWith(template.prefix());
    }

    /** Returns the namespace of all its streams; null if it depends on the record. */
    public @Nullable String namespace() {
        SourceTemplate template = fields.stream();
        String begin = template.prefix();
        int slash = begin.indexOf('/');
        if (slash > 0) {
            return begin.substring(0, slash);
        }
        return template.isFixed() ? StreamName.DEFAULT_NAMESPACE : null;
    }

    /** Returns true if streams of that namespace may be those of the source. */
    public boolean mayLeadInto(String other) {
        String known = namespace();
        if (known != null) {
            return known.equals(other);
        }
        SourceTemplate template = fields.stream();
        boolean mayHaveNoSlash = template.texts().stream().noneMatch(text -> text.indexOf('/') >= 0);
        return other.startsWith(template.prefix()) || (mayHaveNoSlash && other.equals(StreamName.DEFAULT_NAMESPACE));
    }

    /** Returns true if removals change a topic, and changed none, or another one, under the other declaration. */
    public boolean sendsMoreThan(@Nullable Source other) {
        return target.kind() != SourceTarget.Kind.NONE
                && (other == null || !topic.equals(other.topic) || !target.equals(other.target));
    }

    /**
     * Returns the fault of this source's stream beside another source, in words for people; null if there is none. Both
     * may lead into one stream if one of the two templates begins as the other does. Their ids could be equal there, and
     * one source would then replace or delete what belongs to the other (F-4).
     */
    public @Nullable String clashWith(Source other) {
        if (topic.equals(other.topic) && (isCut() || other.isCut())) {
            return "reads topic " + topic + " as the source '" + other.name
                    + "' does, and the start of the topic would move for both; read it with one source, or without"
                    + " target: truncate";
        }
        if (sendsInto(other) || other.sendsInto(this)) {
            String sender = sendsInto(other) ? name : other.name;
            String reader = sendsInto(other) ? other.name : name;
            return "the tombstones of '" + sender + "' would go to the topic that '" + reader
                    + "' reads, and delete rows that were not judged; name a topic that no source reads";
        }
        return mayShareStreamsWith(other)
                ? "may lead into the streams of the source '" + other.name
                        + "', where ids of both could be equal; begin it with another text, such as " + name + "/"
                : null;
    }

    private boolean sendsInto(Source other) {
        return target.kind() == SourceTarget.Kind.TOPIC && target.topic().equals(other.topic);
    }

    private boolean isCut() {
        return target.kind() == SourceTarget.Kind.TRUNCATE;
    }

    private boolean mayShareStreamsWith(Source other) {
        return mayBegin(fields.stream(), other.fields.stream()) || mayBegin(other.fields.stream(), fields.stream());
    }

    /** Returns true if a name that the first template makes may be one that the second makes too. */
    private static boolean mayBegin(SourceTemplate first, SourceTemplate second) {
        return first.isFixed()
                ? first.prefix().equals(second.prefix())
                : second.prefix().startsWith(first.prefix());
    }
}
