package dev.ebb.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.stacks.Endpoints;
import dev.ebb.stacks.RunningStacks;
import dev.ebb.stacks.StackLock;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Calls each command that uses REST once, so that the class archive, which this process writes at its end, holds the
 * classes that they load. A server of its own answers the commands, and keeps nothing. Prints nothing.
 */
final class Rehearsal {

    /** Each command that takes {@code --api}, in its most frequent form. */
    static final List<String> CALLS = List.of(
            "policy set namespace:n --max-age 1d",
            "policy apply -f -",
            "policy diff -f -",
            "policy plan -f -",
            "policy confirm --list",
            "policy export",
            "policy list",
            "policy get namespace:n",
            "policy delete namespace:n --reason r --yes",
            "hold place c --covers namespace:n --reason r",
            "hold release c --reason r --yes",
            "hold list",
            "source apply -",
            "source list",
            "source describe n",
            "source pause n --reason r",
            "source resume n --reason r",
            "source reset n --to earliest --reason r --yes",
            "source remove n --keep --reason r --yes",
            "stream list",
            "stream describe s",
            "stream repair s --reason r",
            "execution list s",
            "event list s",
            "event get s e",
            "event update s e --status completed",
            "event set-ttl s e --ttl 1d",
            "event delete s e --yes",
            "delete s --yes",
            "purge --namespace n --yes",
            "prune s --keep-last 1 --yes",
            "sweep --yes",
            "sweep list",
            "sweep show i",
            "undo --command i --reason r --yes",
            "trash list",
            "erase --where id=e --case c --reason r --yes",
            "erase status c",
            "command show i",
            "namespace list",
            "namespace describe n",
            "explain s e",
            "forecast",
            "audit list",
            "audit show i",
            "audit verify",
            "receipt s e -f no-such-folder/receipt",
            "archive list",
            "command list",
            "parked list",
            "parked drop --stream s --dry-run",
            "parked retry",
            "rejected list",
            "rejected show i",
            "rejected replay i --yes",
            "report compliance",
            "status",
            "instance list",
            "instance remove i --dry-run",
            "drain",
            "verify");

    private Rehearsal() {}

    public static void main(String[] args) throws IOException {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        // Loads the classes that a process needs before its command.
        nowhere.println(Main.class);
        CommandEnvironment.ofProcess();
        perform(Terminal.plain(nowhere, nowhere));
    }

    /** Returns the calls that are wrong: these load little of what their commands need. */
    static List<String> perform(Terminal terminal) throws IOException {
        List<String> wrong = new ArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", Rehearsal::answer);
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            Path nowhere = Path.of("no-home");
            call(terminal, nowhere, "--help");
            call(terminal, nowhere, "complete-words -- policy get --api " + url + " n");
            for (String call : CALLS) {
                if (call(terminal, nowhere, call + " --api " + url) == ExitCode.USAGE.code()) {
                    wrong.add(call);
                }
            }
            callWhereAStackRuns(terminal, url);
            return wrong;
        } finally {
            server.stop(0);
        }
    }

    /**
     * Calls a command for a user who runs a stack: most commands find the application through the note and the settings
     * of {@code ebb dev}.
     */
    private static void callWhereAStackRuns(Terminal terminal, String url) throws IOException {
        Path home = Files.createTempDirectory("ebb-rehearsal");
        Path data = home.resolve(".ebb").resolve("dev");
        Map<String, String> user = Map.of("HOME", home.toString());
        try (StackLock lock = StackLock.acquire(data)) {
            Files.writeString(data.resolve("p"), "p");
            new Endpoints("127.0.0.1:1", "", "", "jdbc:postgresql:", "u", "p", data.resolve("p"), url)
                    .write(data, Map.of());
            Path note = RunningStacks.of(user).noteOf(data).orElseThrow();
            Files.createDirectories(note.getParent());
            Files.writeString(note, data.toString());
            call(new CommandEnvironment(terminal, InputStream.nullInputStream(), user, home), "status");
        } finally {
            delete(home);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> content = Files.walk(folder)) {
            for (Path path : content.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static int call(Terminal terminal, Path home, String words) {
        return call(new CommandEnvironment(terminal, InputStream.nullInputStream(), Map.of(), home), words);
    }

    private static int call(CommandEnvironment context, String words) {
        return EbbCommandLine.run(context, words.split(" "));
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            byte[] answer = RehearsalAnswers.to(
                    exchange.getRequestMethod(), exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }
}
