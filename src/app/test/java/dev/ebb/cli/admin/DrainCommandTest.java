package dev.ebb.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import dev.ebb.cli.FakeApi;
import dev.ebb.wire.ProblemView;
import dev.ebb.wire.instance.DrainView;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("O-16")
class DrainCommandTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldSayWhatMovesAndWhatToDoNext() {
        // given
        api.answer("POST /v1/drain", new DrainView("10.0.0.3:8480", List.of(0, 2), List.of(2), 1));

        // when
        CommandRun run = api.run("drain");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("10.0.0.3:8480 has left; the others take over partition 0, 2.")
                .contains("No instance had a copy of partition 2: it is restored first")
                .contains("Stop it now, or restart it to bring it back.");
    }

    @Test
    void shouldNotSpeakOfOthersWhereThereAreNone() {
        // given
        api.answer("POST /v1/drain?force=true", new DrainView("a:1", List.of(0, 1), List.of(0, 1), 0));

        // when
        CommandRun run = api.run("drain", "--force");

        // then
        assertThat(run.out())
                .contains("a:1 has left; no instance can take over partition 0, 1: events wait in Kafka until")
                .contains("Stop it now, or restart it to bring it back.")
                .doesNotContain("the others", "another instance");
    }

    @Test
    void shouldTakeAnInstanceForTheLastIfItsAnswerKnowsOfNoOthers() {
        // given
        api.answer("POST /v1/drain", 200, "{\"instance\":\"a:1\",\"partitions\":[0],\"withoutCopy\":[0]}");

        // then
        assertThat(api.run("drain").out())
                .contains("no instance can take over partition 0")
                .doesNotContain("No instance had a copy");
    }

    @Test
    void shouldEndWithThePowerToForceIt() {
        // given
        api.answer("POST /v1/drain", 409, ProblemView.ofStatus(409, "is the only instance; use force"))
                .answer("POST /v1/drain?force=true", new DrainView("a:1", List.of(), List.of(), 0));

        // then
        CommandRun refused = api.run("drain");
        assertThat(refused.exitCode()).isEqualTo(5);
        assertThat(refused.err()).contains("is the only instance");

        // then
        CommandRun forced = api.run("drain", "--force");
        assertThat(forced.exitCode()).isZero();
        assertThat(forced.out())
                .contains("a:1 has left; it kept no partition.")
                .doesNotContain("No instance had a copy");
    }
}
