package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.browser.BrowserTab;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What holds for every page of the console, and where its pictures go. */
final class ConsolePage {

    private static final Path PICTURES = Path.of("target", "console");
    private static final String RULES = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
    /** Asks once the page has taken its size: what watches a size is told of it in the next frame. */
    private static final String FINDINGS =
            "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }))"
                    + ".then(r => r.violations.map(v => v.id + ': '"
                    + " + v.nodes.map(n => n.html + ' ' + n.failureSummary).slice(0, 3)))";

    /** Signs that isolate a name from what stands beside it are the page's own. */
    private static final String TURNING = """
        (() => {
          const turning = /[\\u202a-\\u202e\\u2066\\u2067\\u200e\\u200f]/;
          const found = [];
          const look = (text) => { if (text && turning.test(text)) { found.push(text); } };
          look(document.title);
          const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (texts.nextNode()) { look(texts.currentNode.data); }
          for (const one of document.querySelectorAll('*')) {
            for (const name of ['title', 'aria-label', 'aria-valuetext', 'placeholder', 'data-head', 'alt']) {
              look(one.getAttribute(name));
            }
          }
          return found;
        })()\
        """;

    private final String axe;

    ConsolePage() throws IOException {
        try (InputStream in = ConsolePage.class.getResourceAsStream(RULES)) {
            axe = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** WCAG 2.2 AA, as far as a program can tell. */
    void requireAccessible(BrowserTab tab, String what) {
        if (!tab.evaluate("window.axe !== undefined").asBoolean()) {
            tab.evaluate(axe + "; undefined");
        }
        JsonNode violations = tab.evaluate(FINDINGS);
        assertThat(violations).as(what).isEmpty();
    }

    /** C-11: no sign that turns or hides others stands in what is read: text, titles, labels, choices. */
    void requireNothingTurned(BrowserTab tab, String what) {
        assertThat(tab.evaluate(TURNING)).as(what).isEmpty();
    }

    /** Nothing reaches over the right edge of the window, once a plot has taken its new size. */
    void requireFitting(BrowserTab tab) {
        tab.await("document.documentElement.scrollWidth <= window.innerWidth");
    }

    void picture(BrowserTab tab, String name) throws IOException {
        tab.picture(PICTURES.resolve(name + ".png"));
    }
}
