package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A name that matches nothing is no success, where the answer is empty for that reason (O-26). */
@Tag("O-26")
class NothingFoundFailsTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "purge --namespace nosuch --yes",
                "purge --namespace nosuch --dry-run",
                "sweep --namespace nosuch --yes",
                "prune --bulk --namespace nosuch --keep-last 1 --yes",
                "erase --where metadata.user=1 --namespace nosuch --case C --reason r --yes",
                "forecast --namespace nosuch -o json",
                "stream list --namespace nosuch"
            })
    void shouldNotSucceedWhereANameMatchesNothing(String command) {
        // given
        String empty = "{\"verb\":\"purge\",\"state\":\"DONE\",\"commandId\":\"c\",\"streams\":[],\"buckets\":[],"
                + "\"namespaces\":[],\"erasures\":[],\"next\":null";

        // when
        api.otherwise(200, empty + ",\"hints\":[\"no stream is in the namespace 'nosuch' now\"]}");
        CommandRun unknown = api.run(command.split(" ", -1));
        api.otherwise(200, empty + "}");
        CommandRun known = api.run(command.split(" ", -1));

        // then
        assertThat(unknown.exitCode()).as(unknown.err()).isEqualTo(1);
        assertThat(unknown.out() + unknown.err()).contains("no stream is in the namespace 'nosuch' now");
        assertThat(known.exitCode()).as(known.err()).isZero();
    }
}
