package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.cli.CommandRun;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Answers of an instance by REST and by the command line. */
final class Mouths {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** Words of a cell have one blank between them, cells at least two. */
    private static final Pattern CELL = Pattern.compile("\\S+(?: \\S+)*");

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;

    Mouths(String url) {
        this.url = url;
    }

    /** Answer of a request that has to succeed. */
    JsonNode get(String path) throws Exception {
        return send("GET", path, "application/json", "");
    }

    /** Sends events; returns false if a policy does not allow them. */
    boolean accepts(String path, String body) throws Exception {
        return answer("POST", path, "application/json", body).statusCode() < 300;
    }

    JsonNode send(String method, String path, String mediaType, String body) throws Exception {
        var answer = answer(method, path, mediaType, body);
        if (answer.statusCode() >= 300) {
            throw new IOException(method + " " + path + " " + body + ": " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    private HttpResponse<String> answer(String method, String path, String mediaType, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", mediaType)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    /** Runs a command of words that have no blanks. */
    CommandRun run(String words) {
        return CommandRun.of(Stream.concat(Stream.of(words.split(" ")), Stream.of("--api", url))
                .toArray(String[]::new));
    }

    JsonNode json(String words) throws IOException {
        CommandRun run = run(words + " -o json");
        assertThat(run.out()).as("%s: %s", words, run.err()).isNotEmpty();
        return JSON.readTree(run.out());
    }

    /** Rows of the table that a command prints, by its first column: the cells by their heads. */
    Map<String, Map<String, String>> table(String words) {
        CommandRun run = run(words);
        List<String> lines =
                run.out().lines().takeWhile(line -> !line.isEmpty()).toList();
        assertThat(lines).as("%s: %s", words, run.err()).isNotEmpty();
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        List<Cell> heads = cells(lines.get(0));
        for (String line : lines.subList(1, lines.size())) {
            Map<String, String> row = new LinkedHashMap<>();
            for (Cell cell : cells(line)) {
                heads.stream().filter(cell::isBelow).forEach(head -> row.putIfAbsent(head.text(), cell.text()));
            }
            rows.put(row.getOrDefault(heads.get(0).text(), ""), row);
        }
        return rows;
    }

    /** Number in a line of facts, or 0 where the line is left out. */
    static long fact(String out, String label) {
        Matcher line =
                Pattern.compile("(?m)^" + Pattern.quote(label) + " +([0-9,]+)$").matcher(out);
        return line.find() ? Long.parseLong(line.group(1).replace(",", "")) : 0;
    }

    private record Cell(String text, int from, int to) {

        boolean isBelow(Cell head) {
            return from < head.to && head.from < to;
        }
    }

    private static List<Cell> cells(String line) {
        List<Cell> cells = new ArrayList<>();
        Matcher found = CELL.matcher(line);
        while (found.find()) {
            cells.add(new Cell(found.group(), found.start(), found.end()));
        }
        return cells;
    }
}
