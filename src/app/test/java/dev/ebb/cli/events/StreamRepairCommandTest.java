package dev.ebb.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import dev.ebb.cli.FakeApi;
import dev.ebb.wire.EffectivePolicyView;
import dev.ebb.wire.events.StreamView;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("O-16")
class StreamRepairCommandTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldRepairAStream() {
        // given
        api.answer(
                "POST /v1/streams/orders%2F1/repair?commandId=c-1&actor=eva&reason=why&wait=2",
                200,
                "{\"commandId\":\"c-1\",\"verb\":\"repair-stream\",\"state\":\"DONE\",\"detail\":\"all is well\"}");

        // when
        CommandRun run =
                api.run("stream", "repair", "orders/1", "--reason", "why", "--actor", "eva", "--command-id", "c-1");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("repair-stream", "all is well");
    }

    @Test
    void shouldAskForTheReasonUnlessNothingIsDone() {
        // given
        api.answer(
                "POST /v1/streams/s/repair?commandId=c-1&actor=eva&dryRun=true&wait=2",
                200,
                "{\"commandId\":\"c-1\",\"verb\":\"repair-stream\",\"state\":\"DONE\",\"dryRun\":true}");

        // when
        CommandRun without = api.run("stream", "repair", "s");
        CommandRun dry = api.run("stream", "repair", "s", "--dry-run", "--actor", "eva", "--command-id", "c-1");

        // then
        assertThat(without.exitCode()).isEqualTo(2);
        assertThat(without.err()).contains("--reason");
        assertThat(dry.exitCode()).as(dry.err()).isZero();
    }

    @Test
    void shouldNameTheQuarantineOfAStream() {
        // given
        api.answer("GET /v1/streams/s", stream("s", "it fails"));
        api.answer("GET /v1/streams/t", stream("t", null));

        // then
        assertThat(api.run("stream", "describe", "s").out()).contains("quarantined", "it fails");
        assertThat(api.run("stream", "describe", "t").out()).doesNotContain("quarantined");
    }

    private static StreamView.Detail stream(String name, @Nullable String quarantine) {
        return new StreamView.Detail(
                new StreamView(name, "default", 3, 300, 0, 0, 0, null, null, false, null, false, 0, quarantine, null),
                new StreamView.Standing(null, 0, false, 0, List.of(), 0, List.of(), null),
                new EffectivePolicyView(Map.of()),
                List.of());
    }
}
