package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;

/** Classes that are wrong on purpose, to stand before those of the build on the class path of a process. */
public final class BrokenBuild {

    private BrokenBuild() {}

    /**
     * Compiles a class with one expression replaced, which must be there exactly once.
     *
     * @param folder where the classes go
     * @param className without {@code dev.ebb.}
     */
    public static void write(Path folder, String className, String expression, String replacement) {
        try {
            new MutatedClassLoader()
                    .replace("dev.ebb." + className, expression, replacement)
                    .write(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Lets a random play run against a build with one expression replaced, which must be there exactly once: the play must
     * fail, and name its seed.
     *
     * @param play has a method {@code playTheFirst(int)}
     * @param cases number of cases that it plays
     * @param fault the fault, for people
     * @param className without {@code dev.ebb.}
     */
    public static void requireNoticed(
            Class<?> play, int cases, String fault, String className, String expression, String replacement) {
        MutatedClassLoader broken = new MutatedClassLoader().replace("dev.ebb." + className, expression, replacement);
        Throwable failure = catchThrowable(() -> play(broken.loadClass(play.getName()), cases));
        assertThat(failure).as("a build that " + fault).isNotNull().hasMessageStartingWith("-Dtest.seed=");
    }

    private static void play(Class<?> play, int cases) throws Throwable {
        Method method = play.getDeclaredMethod("playTheFirst", int.class);
        method.setAccessible(true);
        try {
            method.invoke(null, cases);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
