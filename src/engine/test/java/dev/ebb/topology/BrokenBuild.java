package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Classes that are wrong on purpose, to stand before those of the build on the class path of a process. */
public final class BrokenBuild {

    private static final String SEED = "-Dtest.seed=";

    private BrokenBuild() {}

    /**
     * Compiles a class that has a fault.
     *
     * @param folder where the classes go
     */
    public static void write(Path folder, Fault fault) {
        try {
            fault.build().write(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Lets a random play run against a build with a fault: the play must fail, and name its seed.
     *
     * @param play has a method {@code playTheFirst} with such arguments, of which the first is the number of cases
     * @param arguments whole numbers and texts
     * @return the seed of the play that failed
     */
    public static long requireNoticed(Fault fault, Class<?> play, Object... arguments) {
        MutatedClassLoader broken = fault.build();
        Throwable failure = catchThrowable(() -> play(broken, play, "playTheFirst", arguments));
        assertThat(failure).as("a build that " + fault).isNotNull().hasMessageStartingWith(SEED);
        String message = failure.getMessage();
        return Long.parseLong(message.substring(SEED.length(), message.indexOf(':')));
    }

    /** Calls a static method of a class as that build has it. */
    static void play(ClassLoader build, Class<?> play, String name, Object... arguments) throws Throwable {
        Class<?>[] types = Stream.of(arguments)
                .map(argument -> argument instanceof Integer ? int.class : argument.getClass())
                .toArray(Class<?>[]::new);
        Method method = build.loadClass(play.getName()).getDeclaredMethod(name, types);
        method.setAccessible(true);
        try {
            method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
