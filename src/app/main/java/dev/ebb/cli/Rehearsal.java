package dev.ebb.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.cli.client.HttpThreads;
import dev.ebb.cli.options.CommandContext;
import dev.ebb.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Calls each command that asks REST once, so that the archive of classes, which this process writes at its end, holds what
 * they load. A server of its own answers them; its lists are empty, and it keeps nothing. Shows nothing.
 */
final class Rehearsal {

    /** Each command that takes {@code --api}, as it is called most. */
    static final List<String> CALLS = List.of(
            "policy set namespace:n --max-age 1d",
            "policy apply -f -",
            "policy diff -f -",
            "policy plan -f -",
            "policy confirm --list",
            "policy export",
            "policy list",
            "policy get namespace:n",
            "policy delete namespace:n",
            "hold place c --covers namespace:n --reason r",
            "hold release c",
            "hold list",
            "stream list",
            "stream describe s",
            "stream repair s",
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
            "archive restore --stream s --yes",
            "parked list",
            "parked drop --stream s --dry-run",
            "parked retry",
            "rejected list",
            "rejected show i",
            "rejected replay i --yes",
            "report compliance",
            "status",
            "drain",
            "verify");

    /** Enough for each list that a command shows; nothing else must be there. */
    private static final byte[] ANSWER =
            ("{\"namespaces\":[],\"streams\":[],\"events\":[],\"executions\":[],\"policies\":[],"
                            + "\"holds\":[],\"records\":[],\"sweeps\":[],\"instances\":[],\"rejected\":[],\"parked\":[],"
                            + "\"audit\":[],\"archive\":[],\"problems\":[],\"status\":\"done\",\"result\":\"done\"}")
                    .getBytes(StandardCharsets.UTF_8);

    private Rehearsal() {}

    public static void main(String[] args) throws IOException {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        perform(Terminal.plain(nowhere, nowhere));
        HttpThreads.end();
    }

    static void perform(Terminal terminal) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", Rehearsal::answer);
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            call(terminal, "--help");
            call(terminal, "complete-words -- policy get --api " + url + " n");
            for (String call : CALLS) {
                call(terminal, call + " --api " + url);
            }
        } finally {
            server.stop(0);
        }
    }

    private static void call(Terminal terminal, String words) {
        InputStream nothing = InputStream.nullInputStream();
        EbbCommandLine.run(new CommandContext(terminal, nothing, Map.of(), Path.of("no-home")), words.split(" "));
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, ANSWER.length);
            exchange.getResponseBody().write(ANSWER);
        }
    }
}
