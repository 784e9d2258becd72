package dev.ebb.oracle;

import static dev.ebb.oracle.SmallWorld.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.oracle.World.Input;
import dev.ebb.oracle.World.Reason;
import java.util.List;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Does the oracle tell events apart that are due when they come, and whose records are alike in everything? The logs are
 * those of the fault {@code times}, without what did not matter.
 */
@Tag("M-1")
class LivesTest {

    private static final String SCOPE = "namespace:a";
    private static final long LATE = START - 20_000;

    private final SmallWorld world = new SmallWorld();
    private long version;

    @BeforeEach
    void countAgeFromOccurrence() {
        version = world.accept(
                SCOPE,
                new GenericRecordBuilder(Schemas.of("RetentionPolicy"))
                        .set("scope", SCOPE)
                        .set("maxAge", "10s")
                        .set("anchor", "occurred")
                        .build());
    }

    @Test
    void shouldKnowWhichOfThreeRecordsHasTheRow() {
        // given
        Input first = late("e1");
        Input second = late("e1");
        Input third = late("e1");
        replaced(second, 132, first);
        replaced(third, 219, second);
        Row row = world.store(row(third, 219), START);
        sweep(762, row);
        Input fourth = late("e1");
        Input fifth = late("e1");
        replaced(fifth, 12_013, fourth);
        Row last = world.store(row(fifth, 12_013), START);
        sweep(12_389, last);

        // when
        Verdict verdict = world.judge();

        // then
        assertThat(verdict.differences()).isEmpty();
        assertThat(verdict.events()).isEqualTo(5);
        assertThat(verdict.deletes()).isEqualTo(5);
    }

    /** The row of the last of three is behind those of others that came before it. */
    @Test
    void shouldKnowThePlaceOfARowAmongOthers() {
        // given two events that are not due by the time of the row of a third
        Input first = late("e1");
        Input second = late("e1");
        Input other = world.input(SmallWorld.event("e2", "running"), START);
        Input third = late("e1");
        world.store(row(other, 258), START);
        replaced(second, 250, first);
        replaced(third, 316, second);
        sweep(1215, world.store(row(third, 316), START));

        // then
        assertThat(world.judge().differences()).isEmpty();
    }

    @Test
    @Tag("M-2")
    void shouldKnowThatUpdatesOfWhatIsDueChangeNothing() {
        // given each event is led by an update of the one before it, and the last comes and goes without a row
        Input first = updatedAndLate("e1");
        Input second = updatedAndLate("e1");
        Input third = updatedAndLate("e1");
        replaced(second, 131, first);
        replaced(third, 157, second);
        sweep(515, world.store(row(third, 157), START));
        Input fourth = updatedAndLate("e1");
        world.audit(swept(12_442), START + 12_442, row -> LATE, row(fourth, 12_442));

        // then
        assertThat(world.judge().differences()).isEmpty();
    }

    @Test
    void shouldKnowRecordsOfSeveralEventsThatAreAlike() {
        // given
        replaceAndSweepThree();

        // when
        Verdict verdict = world.judge();

        // then
        assertThat(verdict.differences()).isEmpty();
        assertThat(verdict.events()).isEqualTo(11);
        assertThat(verdict.deletes()).isEqualTo(11);
    }

    @Test
    @Tag("I-2")
    @Tag("I-5")
    void shouldNameWhateverIsMissing() {
        // given
        replaceAndSweepThree();

        // then
        for (List<?> log : List.of(world.audits, world.mirror)) {
            for (int i = 0; i < log.size(); i++) {
                assertNamedWithout(log, i);
            }
        }
        world.inputs.stream()
                .filter(input -> Intake.kind(input).equals(Intake.EVENT))
                .toList()
                .forEach(input -> assertNamedWithout(world.inputs, world.inputs.indexOf(input)));
    }

    private <T> void assertNamedWithout(List<T> log, int place) {
        // when
        T lost = log.remove(place);
        Verdict verdict = world.judge();
        log.add(place, lost);

        // then
        assertThat(verdict.differences())
                .as("without %s", lost)
                .isNotEmpty()
                .noneMatch(line -> line.contains("cannot be explained"));
    }

    /** One difference must not hide another, not even if the oracle itself fails. */
    @Test
    void shouldNameWhatItCannotExplainAndGoOn() {
        // given a window in a zone that is none, and something else
        world.policy("stream:" + SmallWorld.STREAM, "window", "01:00-02:00 Nowhere/Land");
        sweep(30, world.store(row(late("e1"), 1), START));
        world.input(null, START);

        // then
        assertThat(world.judge().differences())
                .anySatisfy(
                        line -> assertThat(line).contains("e1 (stored", "mirror-0@1", "cannot be explained", "zone"))
                .anySatisfy(line -> assertThat(line).contains("events-0@1", "was not rejected"));
    }

    @Test
    @Tag("I-5")
    void shouldNameAnExplanationWithoutTheAgeOfWhatItExplains() {
        // given
        sweep(30, world.store(row(late("e1"), 1), START));
        World.Audit whole = world.audits.remove(0);
        world.audits.add(new World.Audit(
                whole.auditId(),
                whole.stream(),
                whole.cause(),
                whole.scope(),
                whole.policyVersion(),
                whole.sweepId(),
                whole.commandId(),
                whole.ids(),
                whole.bytes(),
                null,
                null,
                whole.atMs(),
                whole.action()));

        // then
        assertThat(world.judge().differences()).singleElement().asString().contains(whole.auditId(), "null to null");
    }

    private void replaceAndSweepThree() {
        final Input e51 = late("e51");
        final Input e30 = updatedAndLate("e30");
        final Input e30b = updatedAndLate("e30");
        final Input e30c = updatedAndLate("e30");
        final Input e60 = late("e60");
        final Input e60b = late("e60");
        final Input e51b = late("e51");
        final Input e60c = late("e60");
        final Input e51c = late("e51");
        final Input e51d = late("e51");
        final Input e30d = updatedAndLate("e30");
        replaced(e30b, 509, e30);
        replaced(e30c, 776, e30b);
        replaced(e60b, 915, e60);
        replaced(e51b, 915, e51);
        Row row30c = world.store(row(e30c, 776), START);
        Row row60b = world.store(row(e60b, 915), START);
        final Row row51b = world.store(row(e51b, 915), START);
        world.delete(row60b, 1642, new Reason("MAX_AGE", SCOPE, version, "", ""));
        replaced(e60c, 1642, e60b);
        Reason swept = swept(1755);
        world.delete(row30c, 1755, swept);
        world.delete(row51b, 1755, swept);
        world.audit(swept, START + 1755, row -> LATE, row30c, row(e60c, 1642), row51b);
        world.audit(swept(2490), START + 2490, row -> LATE, row(e51c, 2490));
        Row row51d = world.store(row(e51d, 12_056), START);
        Row row30d = world.store(row(e30d, 12_056), START);
        sweep(12_168, row30d, row51d);
    }

    /** An event that is due when it comes. */
    private Input late(String id) {
        GenericRecord event = SmallWorld.event(id, null);
        event.put("occurredAt", LATE);
        return world.input(event, START);
    }

    private Input updatedAndLate(String id) {
        world.input(SmallWorld.update(id, "read"), START);
        return late(id);
    }

    private static Row row(Input input, long atMs) {
        return Expected.ofEvent(input, null, START + atMs);
    }

    private void replaced(Input successor, long atMs, Input event) {
        Reason reason = new Reason("MAX_AGE", SCOPE, version, "", "");
        world.auditReplaced(successor, reason, START + atMs, row -> LATE, row(event, atMs));
    }

    private Reason swept(long atMs) {
        String sweepId = "sweep-0-" + (START + atMs) + "-" + world.mirror.size();
        world.reports.put(sweepId, new World.Report(START + atMs, world.accepted.size() - 1, false));
        return new Reason("MAX_AGE", SCOPE, version, sweepId, "");
    }

    private void sweep(long atMs, Row... rows) {
        Reason reason = swept(atMs);
        for (Row row : rows) {
            world.delete(row, atMs, reason);
        }
        world.audit(reason, START + atMs, row -> LATE, rows);
    }
}
