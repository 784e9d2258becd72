package dev.ebb.topology;

/**
 * What is wrong with a build: one expression of a class, which must be there exactly once, is replaced by another.
 *
 * @param name what such a build does, for people
 * @param className without {@code dev.ebb.}
 */
public record Fault(String name, String className, String expression, String replacement) {

    /** The project with this fault. */
    public MutatedClassLoader build() {
        return new MutatedClassLoader().replace("dev.ebb." + className, expression, replacement);
    }

    @Override
    public String toString() {
        return name;
    }
}
