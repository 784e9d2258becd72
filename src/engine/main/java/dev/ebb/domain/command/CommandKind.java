package dev.ebb.domain.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The description of a command: its verb, its fields, and the conversion of their values to the command and back.
 * Records, requests and the stored tasks of commands are made from it. Immutable.
 *
 * @param <C> the command
 */
public final class CommandKind<C extends Command> {

    private final Builder<C> parts;
    private final Function<CommandValues, C> maker;

    private CommandKind(Builder<C> parts, Function<CommandValues, C> maker) {
        this.parts = parts;
        this.maker = maker;
    }

    /**
     * Begins a description.
     *
     * @param verb the word for the command
     * @param summary its purpose, in one sentence
     */
    static <C extends Command> Builder<C> of(Class<C> type, String verb, String summary) {
        return new Builder<>(type, verb, summary);
    }

    /** A field of the command; a command that lacks a required field has a fault. */
    private record Binding<C, T>(CommandField<T> field, Function<C, @Nullable T> getter, boolean isRequired) {

        void read(CommandValues given) {
            given.read(field, isRequired);
        }

        @Nullable
        Object plain(C command) {
            T value = getter.apply(command);
            return value == null ? null : field.plain(value);
        }
    }

    /** A description that is not complete. */
    static final class Builder<C extends Command> {

        private final Class<C> type;
        private final String verb;
        private final String summary;
        private final List<Binding<C, ?>> bindings = new ArrayList<>();
        private boolean isBounded;
        private boolean isPlanned;
        private boolean isForAdmins;
        private Consumer<CommandValues> check = given -> {};

        private Builder(Class<C> type, String verb, String summary) {
            this.type = type;
            this.verb = verb;
            this.summary = summary;
        }

        /** Lets the command take a limit on the events that it may delete, and a plan. */
        Builder<C> bounded() {
            isBounded = true;
            return planned();
        }

        /** Lets the dry run of the command make a plan, which the command can carry out. */
        Builder<C> planned() {
            isPlanned = true;
            return this;
        }

        /** Requires that the sender is an admin. */
        Builder<C> forAdmins() {
            isForAdmins = true;
            return this;
        }

        /** Adds an optional field. */
        <T> Builder<C> takes(CommandField<T> field, Function<C, @Nullable T> getter) {
            bindings.add(new Binding<>(field, getter, false));
            return this;
        }

        /** Adds a required field. */
        <T> Builder<C> requires(CommandField<T> field, Function<C, @Nullable T> getter) {
            bindings.add(new Binding<>(field, getter, true));
            return this;
        }

        /** Adds a check of fields against each other, which runs once all are read. */
        Builder<C> checked(Consumer<CommandValues> check) {
            this.check = check;
            return this;
        }

        /** Completes the description with the maker of the command, which is called if there is no fault. */
        CommandKind<C> made(Function<CommandValues, C> maker) {
            return new CommandKind<>(this, maker);
        }
    }

    public Class<C> type() {
        return parts.type;
    }

    /** Returns the word for the command in records, requests and the audit. */
    public String verb() {
        return parts.verb;
    }

    /** Returns the purpose of the command, in one sentence. */
    public String summary() {
        return parts.summary;
    }

    /**
     * Returns true if only an admin may send the command: it deletes events whatever their status, or brings deleted
     * events back.
     */
    public boolean isForAdmins() {
        return parts.isForAdmins;
    }

    /** Returns the fields that the command takes, those common to all commands first. */
    public List<CommandField<?>> fields() {
        Stream<CommandField<?>> common = Stream.of(
                CommandField.COMMAND_ID,
                CommandField.VERB,
                CommandField.ACTOR,
                CommandField.REASON,
                CommandField.DRY_RUN);
        Stream<CommandField<?>> bound = parts.isBounded ? Stream.of(CommandField.MAX_DELETES) : Stream.empty();
        Stream<CommandField<?>> plan = parts.isPlanned ? Stream.of(CommandField.PLAN) : Stream.empty();
        Stream<CommandField<?>> own = parts.bindings.stream().map(Binding::field);
        return Stream.of(common, bound, plan, own)
                .flatMap(Function.identity())
                .collect(Collectors.toUnmodifiableList());
    }

    public boolean takes(CommandField<?> field) {
        return fields().contains(field);
    }

    /** Returns the command with these values; null if the values have any fault, here or found before. */
    public @Nullable C read(CommandValues given) {
        parts.bindings.forEach(binding -> binding.read(given));
        parts.check.accept(given);
        return given.faults().isEmpty() ? maker.apply(given) : null;
    }

    /**
     * Returns the plain values of the command's own fields by their names, null for a field without a value.
     *
     * @throws ClassCastException if the command is of another kind
     */
    public Map<String, @Nullable Object> plain(Command command) {
        C own = parts.type.cast(command);
        Map<String, @Nullable Object> values = new HashMap<>();
        parts.bindings.forEach(binding -> values.put(binding.field().text(), binding.plain(own)));
        return values;
    }

    @Override
    public String toString() {
        return parts.verb;
    }
}
