package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.FakeInstances.Instance;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.Deletion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What waits in the trash, told by all instances as one (T-5). */
@Tag("T-5")
class TrashApiTest {

    @RegisterExtension
    final FakePair pair = new FakePair();

    private final Instance one = pair.one;
    private final Instance two = pair.two;

    @Test
    void shouldAddUpWhatAllInstancesCount() {
        // given
        one.data.insight.trash.keep(0, "orders/1", purge("c-1", 1000), 3).keep(1, "orders/3", sweep("s-9", 5000), 7);
        two.data.insight.trash.keep(2, "orders/2", purge("c-1", 2000), 4).keep(3, "mail/1", purge("c-1", 2000), 1);

        // when
        JsonNode deletions = one.client().get("/v1/trash").json().path("deletions");

        // then
        assertThat(deletions.findValuesAsText("events")).containsExactly("7", "1", "7");
        JsonNode newest = deletions.get(0);
        assertThat(newest.path("change").asText()).isEqualTo("namespace:orders@7");
        assertThat(newest.path("sweepId").asText()).isEqualTo("s-9");
        assertThat(newest.path("commandId").isNull()).isTrue();
        JsonNode purged = deletions.get(2);
        assertThat(purged.path("commandId").asText()).isEqualTo("c-1");
        assertThat(purged.path("bytes").asLong()).isEqualTo(70);
        assertThat(purged.path("firstDeletedAt").asText()).isEqualTo("1970-01-01T00:00:01.000Z");
        assertThat(purged.path("firstUntil").asText()).isEqualTo("1970-01-01T00:00:11.000Z");
        assertThat(purged.path("until").asText()).isEqualTo("1970-01-01T00:00:12.000Z");
    }

    @Test
    void shouldPageThroughHostileNames() {
        // given
        List<String> names = List.of("a", "ü\u202e", "x y", "0:", "%2F", "<b>", "1 2:3");
        names.forEach(name -> one.data.insight.trash.keep(0, name + "/1", purge("c-1", 1000), 1));

        // when
        List<String> found = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = one.client().get("/v1/trash?limit=2" + after).json();
            found.addAll(page.path("deletions").findValuesAsText("namespace"));
            after = page.path("next").isNull()
                    ? null
                    : "&after=" + page.path("next").asText();
        } while (after != null);

        // then
        assertThat(found).containsExactlyInAnyOrderElementsOf(names);
        assertThat(one.client().get("/v1/trash?after=%21").status()).isEqualTo(400);
        assertThat(one.client().get("/v1/trash?after=eA").status()).isEqualTo(400);
    }

    @Test
    void shouldNarrowTheListToANamespaceOrAStream() {
        // given
        one.data
                .insight
                .trash
                .keep(0, "orders/1", purge("c-1", 1000), 3)
                .keep(0, "orders/2", purge("c-1", 1000), 4)
                .keep(0, "mail/1", purge("c-1", 1000), 5);

        // then
        assertThat(one.client().get("/v1/trash?namespace=orders").json().findValuesAsText("events"))
                .containsExactly("7");
        assertThat(one.client().get("/v1/trash?stream=orders%2F2").json().findValuesAsText("events"))
                .containsExactly("4");
        assertThat(one.client().get("/v1/trash?stream=orders%2F9").json().path("deletions"))
                .isEmpty();
    }

    private static Deletion purge(String commandId, long atMs) {
        return new Deletion(RemovalCause.PURGE, "command", -1, "", List.of(), "", commandId, atMs, atMs + 10_000);
    }

    private static Deletion sweep(String sweepId, long atMs) {
        return new Deletion(
                RemovalCause.MAX_AGE,
                "namespace:orders",
                7,
                "namespace:orders@7",
                List.of(),
                sweepId,
                "",
                atMs,
                atMs + 10_000);
    }
}
