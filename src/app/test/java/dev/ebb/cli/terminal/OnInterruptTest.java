package dev.ebb.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uses real processes, because only the end of a process runs the hook. */
@Timeout(60)
class OnInterruptTest {

    private static final String AT_WORK = "at work";
    private static final String DONE = "done";

    @ParameterizedTest
    @CsvSource({AT_WORK + ", interrupted", DONE + ","})
    void shouldSayItOnlyIfTheProcessIsEndedAtWork(String state, String expected) throws Exception {
        // given
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Worker.class.getName(),
                        state)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo(state);

            // when: not by destroy() of the process, which closes the output before its last line
            boolean isAsked = process.toHandle().destroy();

            // then
            assertThat(isAsked).isTrue();
            assertThat(out.readLine()).isEqualTo(expected);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Says its state and waits to be ended. */
    static final class Worker {

        private Worker() {}

        public static void main(String[] args) throws InterruptedException, IOException {
            OnInterrupt onInterrupt = new OnInterrupt(() -> System.out.println("interrupted"));
            if (args[0].equals(DONE)) {
                onInterrupt.close();
            }
            System.out.println(args[0]);
            new CountDownLatch(1).await(1, TimeUnit.MINUTES);
        }
    }
}
