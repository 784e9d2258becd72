package dev.ebb.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A tab of the browser: goes to pages, looks at them, and types as a person does. */
public final class BrowserTab implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final int SHIFT = 8;

    private static final String WAIT = """
        new Promise(done => {
          const holds = () => { try { return Boolean(%s) } catch { return false } };
          if (holds()) { done(true); return; }
          const events = ['focusin', 'focusout', 'resize', 'visibilitychange', 'hashchange', 'toggle', 'load'];
          const end = answer => {
            changes.disconnect(); sizes.disconnect(); clearTimeout(timer);
            events.forEach(name => removeEventListener(name, look, true));
            done(answer);
          };
          const look = () => holds() && end(true);
          const changes = new MutationObserver(look);
          changes.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
          const sizes = new ResizeObserver(look);
          if (document.documentElement) { sizes.observe(document.documentElement); }
          events.forEach(name => addEventListener(name, look, true));
          const timer = setTimeout(() => end(false), %d);
        })\
        """;
    private static final char NO_BREAK = '\u00a0';

    private final DevTools tools;
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> downloads = new LinkedBlockingQueue<>();
    private String downloading = "";
    private int width;
    private int height;

    BrowserTab(HttpClient http, URI address) {
        this.tools = new DevTools(http, address, this::event);
        List.of("Page.enable", "Runtime.enable", "Log.enable", "Network.enable")
                .forEach(method -> tools.call(method, Map.of()));
    }

    public void resize(int newWidth, int newHeight) {
        width = newWidth;
        height = newHeight;
        tools.call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** The colours that the system of the reader asks for. */
    public void dark(boolean isDark) {
        Map<String, String> scheme = Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light");
        tools.call("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
    }

    /** Goes to an address as if it had been typed: a new page, even if only what follows the # differs. */
    public void open(String address) {
        show();
        tools.call("Page.navigate", Map.of("url", "about:blank"));
        tools.call("Page.navigate", Map.of("url", address));
    }

    /** The zone of the reader, such as Asia/Kathmandu, for pages from then on. */
    public BrowserTab zone(String name) {
        tools.call("Emulation.setTimezoneOverride", Map.of("timezoneId", name));
        return this;
    }

    /** Downloads go there from now on. */
    public BrowserTab downloadTo(Path folder) {
        tools.call(
                "Browser.setDownloadBehavior",
                Map.of("behavior", "allow", "downloadPath", folder.toString(), "eventsEnabled", true));
        return this;
    }

    /** Returns the name of the next file once it has been downloaded as a whole. */
    public String awaitDownload() throws InterruptedException {
        String name = downloads.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (name == null) {
            throw new AssertionError("nothing was downloaded; the page shows: " + text());
        }
        return name;
    }

    /** Returns when the tab has sent so many requests whose address has that part. */
    public BrowserTab awaitRequests(String part, int count) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        synchronized (requests) {
            while (requested(part) < count) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new AssertionError("not " + count + " requests for " + part + ": " + requests);
                }
                requests.wait(left);
            }
        }
        return this;
    }

    /** Number of requests so far whose address has that part. */
    public long requested(String part) {
        return requests.stream().filter(address -> address.contains(part)).count();
    }

    /** Brings the tab to the front: a page in another one counts as hidden. */
    public BrowserTab show() {
        tools.call("Page.bringToFront", Map.of());
        return this;
    }

    /** Value of an expression, or of what it promises. */
    public JsonNode evaluate(String expression) {
        JsonNode answer = tools.call(
                "Runtime.evaluate", Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    /** All text that is seen. */
    public String text() {
        return evaluate("document.body ? document.body.innerText : ''").asText().replace(NO_BREAK, ' ');
    }

    /** Returns when the page shows that text. */
    public BrowserTab awaitText(String expected) {
        return await("(document.body ? document.body.innerText : '').replaceAll('\\u00a0', ' ').includes("
                + quoted(expected) + ")");
    }

    /** Returns when the page does not show that text any more. */
    public BrowserTab awaitNoText(String unexpected) {
        return await("!document.body.innerText.replaceAll('\\u00a0', ' ').includes(" + quoted(unexpected) + ")");
    }

    /** Returns when the expression is true on the page, which looks whenever anything of it changes. */
    public BrowserTab await(String expression) {
        String promise = WAIT.formatted(expression, PATIENCE.toMillis());
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                if (evaluate(promise).asBoolean()) {
                    return this;
                }
                throw new AssertionError(
                        "not within " + PATIENCE.toSeconds() + " s: " + expression + "; the page shows: " + text());
            } catch (DevTools.RefusedException e) {
                // Another page has taken the place of the one that was asked.
                if (System.nanoTime() - end > 0) {
                    throw new AssertionError(expression, e);
                }
            }
        }
    }

    /** Clicks on what bears that text: a button, a link, or a check box by its label. */
    public BrowserTab click(String name) {
        await(named(name) + " !== undefined");
        evaluate(named(name) + ".click()");
        return this;
    }

    /** Returns true if something that can be clicked bears that text. */
    public boolean has(String name) {
        return evaluate(named(name) + " !== undefined").asBoolean();
    }

    /** Puts a text into the field of that label, as if it had been typed. */
    public BrowserTab fill(String label, String value) {
        String field = "[...document.querySelectorAll('label')].filter(l => l.textContent.trim() === " + quoted(label)
                + ").map(l => l.control).pop()";
        await(field + " !== undefined");
        evaluate("(() => { const f = " + field + "; const of = Object.getPrototypeOf(f);"
                + "Object.getOwnPropertyDescriptor(of, 'value').set.call(f, " + quoted(value) + ");"
                + "f.dispatchEvent(new Event('input', { bubbles: true })); })()");
        return this;
    }

    /** Presses a key, such as Tab, Enter, Escape or ArrowRight. */
    public BrowserTab press(String key) {
        return press(key, 0);
    }

    public BrowserTab pressWithShift(String key) {
        return press(key, SHIFT);
    }

    /** Types a text into what has the focus. */
    public BrowserTab type(String text) {
        tools.call("Input.insertText", Map.of("text", text));
        return this;
    }

    /** Presses Tab until what has the focus bears that text. */
    public BrowserTab tabTo(String name) {
        return tabTo(name, 0);
    }

    /** Presses Shift and Tab until what has the focus bears that text. */
    public BrowserTab shiftTabTo(String name) {
        return tabTo(name, SHIFT);
    }

    private BrowserTab tabTo(String name, int modifiers) {
        String focused = "(e => (e.getAttribute('aria-label') || (e.labels && e.labels[0] ? e.labels[0].textContent :"
                + " e.textContent) || '').trim())(document.activeElement)";
        StringBuilder seen = new StringBuilder();
        for (int i = 0; i < 120; i++) {
            press("Tab", modifiers);
            String now = evaluate(focused).asText();
            if (now.equals(name)) {
                return this;
            }
            seen.append(now, 0, Math.min(now.length(), 40)).append(" | ");
        }
        throw new AssertionError("Tab does not come to '" + name + "', but to " + seen);
    }

    /** Writes a picture of the page, all of it down to a length that can be looked at. */
    public void picture(Path file) throws IOException {
        int full = Math.min(
                4000,
                Math.max(
                        height,
                        evaluate("document.documentElement.scrollHeight").asInt()));
        int before = height;
        resize(width, full);
        JsonNode picture = tools.call("Page.captureScreenshot", Map.of("format", "png", "optimizeForSpeed", true));
        resize(width, before);
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(picture.path("data").asText()));
    }

    /** Exceptions, and errors on the console, since the last look. */
    public List<String> takeErrors() {
        List<String> all = List.copyOf(errors);
        errors.clear();
        return all;
    }

    /** Addresses that were asked for since the tab is there. */
    public List<String> requests() {
        return requests;
    }

    @Override
    public void close() {
        tools.call("Page.close", Map.of());
        tools.close();
    }

    private BrowserTab press(String key, int modifiers) {
        String text = key.equals("Enter") ? "\r" : key.equals("Space") ? " " : "";
        int code = KeyCodes.of(key);
        Map<String, Object> down = Map.of(
                "type", text.isEmpty() ? "rawKeyDown" : "keyDown",
                "key", text.equals(" ") ? " " : key,
                "code", key,
                "text", text,
                "windowsVirtualKeyCode", code,
                "modifiers", modifiers);
        tools.call("Input.dispatchKeyEvent", down);
        tools.call(
                "Input.dispatchKeyEvent",
                Map.of(
                        "type",
                        "keyUp",
                        "key",
                        key,
                        "code",
                        key,
                        "windowsVirtualKeyCode",
                        code,
                        "modifiers",
                        modifiers));
        return this;
    }

    private void event(String method, JsonNode parameters) {
        switch (method) {
            case "Runtime.exceptionThrown" ->
                errors.add(parameters.path("exceptionDetails").toString());
            case "Runtime.consoleAPICalled" -> {
                if (parameters.path("type").asText().equals("error")) {
                    errors.add(parameters.path("args").toString());
                }
            }
            case "Log.entryAdded" -> log(parameters.path("entry"));
            case "Network.requestWillBeSent" -> {
                synchronized (requests) {
                    requests.add(parameters.path("request").path("url").asText());
                    requests.notifyAll();
                }
            }
            case "Browser.downloadWillBegin" ->
                downloading = parameters.path("suggestedFilename").asText();
            case "Browser.downloadProgress" -> {
                if (parameters.path("state").asText().equals("completed")) {
                    downloads.add(downloading);
                }
            }
            default -> {}
        }
    }

    /** What the network refuses is shown on the page, and is not a fault of it. */
    private void log(JsonNode entry) {
        boolean isError = entry.path("level").asText().equals("error");
        if (isError && !entry.path("source").asText().equals("network")) {
            errors.add(entry.toString());
        }
    }

    private static String named(String name) {
        return "[...document.querySelectorAll('dialog[open] button, dialog[open] a, dialog[open] label, ' +"
                + " (document.querySelector('dialog[open]') ? 'none' : 'button, a, summary, label'))].find(e =>"
                + " !e.disabled && (e.getAttribute('aria-label') || e.textContent).replaceAll('\\u00a0', ' ').trim() === "
                + quoted(name)
                + ")";
    }

    /** The text as a literal of JavaScript. */
    static String quoted(String text) {
        return JSON.valueToTree(text).toString();
    }
}
