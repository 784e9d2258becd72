package dev.ebb.domain.event;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-20")
class EventRulesTest {

    private static final long NOW = 1_800_000_000_000L;
    private static final long HOUR = 3_600_000;

    @ParameterizedTest
    @CsvSource({"-1, false", "0, false", "1, true"})
    void shouldTakeTimesUpToAnHourAhead(long offset, boolean isRejected) {
        long time = NOW + HOUR + offset;

        check(EventRules.problem(event("s", "e").occurredAt(time).build(), NOW, NOW), "occurredAt", isRejected);
        check(EventRules.problem(event("s", "e").completedAt(time).build(), NOW, NOW), "completedAt", isRejected);
        check(EventRules.problem(update(time), NOW, NOW), "completedAt", isRejected);
    }

    @ParameterizedTest
    @CsvSource({"31536000000, false", "31535999999, true", "0, true", "-1, true", "-9223372036854775808, true"})
    void shouldRefuseTimesBefore1971(long time, boolean isRejected) {
        check(EventRules.problem(event("s", "e").occurredAt(time).build(), NOW, NOW), "occurredAt", isRejected);
        check(EventRules.problem(event("s", "e").completedAt(time).build(), NOW, NOW), "completedAt", isRejected);
        check(EventRules.problem(update(time), NOW, NOW), "completedAt", isRejected);
    }

    @ParameterizedTest
    @Tag("O-22")
    @CsvSource(
            delimiter = '|',
            value = {
                "1795838400 | BAD_TIME | occurredAt 1795838400 is read as 1970-01-21, before 1971; seconds?",
                "20261127 | BAD_TIME | occurredAt 20261127 is read as 1970-01-01, before 1971; a date?",
                "5 | BAD_TIME | occurredAt 5 is read as 1970-01-01, before 1971",
                "1795838400000000 | BAD_TIME | occurredAt 1795838400000000 is read as +58877-11-07, after 9999; microseconds?",
                "1795838400000000000 | BAD_TIME | occurredAt 1795838400000000000 is read as +56909823-06-17, after 9999; nanoseconds?"
            })
    void shouldNameTheReadingAndTheLikelyUnit(long time, RejectReason reason, String detail) {
        assertThat(EventRules.problem(event("s", "e").occurredAt(time).build(), NOW, NOW))
                .isEqualTo(new Rejection(reason, detail));
    }

    @ParameterizedTest
    @Tag("O-22")
    @CsvSource({"31535999999, true", "31536000000, false", "253402300799999, false", "253402300800000, true"})
    void shouldRefuseAnEndOfLifeThatHasAnotherUnit(long expiresAt, boolean isRejected) {
        Event event = event("s", "e").expiresAt(expiresAt).build();
        EventUpdate update =
                new EventUpdate(event.stream(), event.id(), null, null, new OwnTtl(null, expiresAt, false), null);

        check(EventRules.problem(event, NOW, NOW), RejectReason.BAD_TTL, "expiresAt", isRejected);
        check(EventRules.problem(update, NOW, NOW), RejectReason.BAD_TTL, "expiresAt", isRejected);
    }

    @Test
    void shouldHoldTheKafkaTimestampToTheSameRulesWhereItStandsForATime() {
        long tooLate = NOW + HOUR + 1;

        check(EventRules.problem(event("s", "e").build(), tooLate, NOW), "occurredAt", true);
        check(EventRules.problem(event("s", "e").occurredAt(NOW).build(), tooLate, NOW), "completedAt", true);
        check(
                EventRules.problem(
                        event("s", "e").occurredAt(NOW).completedAt(NOW).build(), tooLate, NOW),
                "",
                false);
        check(EventRules.problem(update(null), tooLate, NOW), "completedAt", true);
    }

    @Test
    void shouldRefuseANegativeKafkaTimestamp() {
        Rejection expected = new Rejection(RejectReason.BAD_TIMESTAMP, "the Kafka timestamp is -1");

        assertThat(EventRules.problem(event("s", "e").occurredAt(NOW).build(), -1, NOW))
                .isEqualTo(expected);
        assertThat(EventRules.problem(update(NOW), -1, NOW)).isEqualTo(expected);
        assertThat(EventRules.problem(event("s", "e").build(), 0, NOW)).isNull();
        assertThat(EventRules.problem(update(NOW), 0, NOW)).isNull();
        assertThat(EventRules.problem(execution(1, NOW, NOW), 0, NOW)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"-9223372036854775808, true", "-1, true", "0, false", "1, false", "9223372036854775807, false"})
    void shouldRefuseExecutionsBelowZero(long execution, boolean isRejected) {
        Rejection expected = isRejected
                ? new Rejection(RejectReason.BAD_EXECUTION, "execution must be at least 0, was " + execution)
                : null;

        assertThat(EventRules.problem(event("s", "e").execution(execution).build(), NOW, NOW))
                .isEqualTo(expected);
        assertThat(EventRules.problem(execution(execution, NOW, NOW), NOW, NOW)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, true",
        "31535999999, true",
        "31536000000, false",
        "1800003599999, false",
        "1800003600000, false",
        "1800003600001, true"
    })
    void shouldHoldTheTimesOfExecutionsToTheSameRules(long time, boolean isRejected) {
        check(EventRules.problem(execution(1, time, NOW), NOW, NOW), "startedAt", isRejected);
        check(EventRules.problem(execution(1, null, time), NOW, NOW), "completedAt", isRejected);
    }

    @Test
    void shouldHoldTheKafkaTimestampOfAnExecutionToTheSameRules() {
        assertThat(EventRules.problem(execution(1, null, NOW), -1, NOW))
                .isEqualTo(new Rejection(RejectReason.BAD_TIMESTAMP, "the Kafka timestamp is -1"));
        check(EventRules.problem(execution(1, null, null), NOW + HOUR + 1, NOW), "completedAt", true);
        check(EventRules.problem(execution(1, null, NOW), NOW + HOUR + 1, NOW), "", false);
    }

    @ParameterizedTest
    @CsvSource({"1024, false", "1025, true"})
    void shouldHoldMetadataToItsLimits(int length, boolean isRejected) {
        Map<String, String> metadata = Map.of("n".repeat(length), "");
        Rejection expected = isRejected
                ? new Rejection(RejectReason.BAD_METADATA, String.valueOf(MetadataRule.problem(metadata)))
                : null;

        assertThat(EventRules.problem(event("s", "e").metadata(metadata).build(), NOW, NOW))
                .isEqualTo(expected);
        assertThat(EventRules.problem(
                        new EventUpdate(new StreamName("s"), new EventId("e"), null, null, null, metadata), NOW, NOW))
                .isEqualTo(expected);
    }

    /** A status is a name: too long for its index, or with a blank at its end, it would stop rows or protect for ever. */
    @ParameterizedTest
    @Tag("O-24")
    @CsvSource({
        "254, '', ''",
        "255, '', ''",
        "256, '', 'status must not be longer than 255 bytes, has 256'",
        "1, ' ', 'status must not begin or end with a blank'",
        "0, ' ', 'status must not begin or end with a blank'",
        "0, '', ''",
        "3, '\u00e9', ''",
        "1, '\u0000x', 'status must not contain control characters'",
        "1, '\ud800x', 'status must be valid Unicode'"
    })
    void shouldHoldAStatusToTheRulesOfNames(int length, String end, String problem) {
        String status = "s".repeat(length) + end;
        Rejection expected = problem.isEmpty() ? null : new Rejection(RejectReason.BAD_NAME, problem);

        assertThat(EventRules.problem(event("s", "e").status(status).build(), NOW, NOW))
                .isEqualTo(expected);
        assertThat(EventRules.problem(
                        new EventUpdate(new StreamName("s"), new EventId("e"), status, null, null, null), NOW, NOW))
                .isEqualTo(expected);
        assertThat(EventRules.problem(new ExecutionUpdate(new StreamName("s"), 1, status, null, null, null), NOW, NOW))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @Tag("O-24")
    @CsvSource({
        "1023, '', ''",
        "1024, '', ''",
        "1025, '', ' must not be longer than 1024 bytes, has 1025'",
        "1023, '\u00e9', ' must not be longer than 1024 bytes, has 1025'",
        "0, '', ''",
        "1, ' \n', ''",
        "1, '\u0000', ' must not contain U+0000'",
        "1, '\udc00', ' must be valid Unicode'"
    })
    void shouldHoldTextsToWhatSqlTakes(int length, String end, String problem) {
        String text = "t".repeat(length) + end;

        assertText("type", problem, event("s", "e").type(text).build());
        assertText("correlationId", problem, event("s", "e").correlationId(text).build());
        assertText("contentType", problem, event("s", "e").contentType(text).build());
    }

    private static void assertText(String field, String problem, Event event) {
        assertThat(EventRules.problem(event, NOW, NOW))
                .isEqualTo(problem.isEmpty() ? null : new Rejection(RejectReason.BAD_TEXT, field + problem));
    }

    private static ExecutionUpdate execution(long number, Long startedAt, Long completedAt) {
        return new ExecutionUpdate(new StreamName("s"), number, "running", null, startedAt, completedAt);
    }

    private static EventUpdate update(Long completedAt) {
        return new EventUpdate(new StreamName("s"), new EventId("e"), null, completedAt, null, null);
    }

    private static void check(Rejection rejection, String field, boolean isRejected) {
        check(rejection, RejectReason.BAD_TIME, field, isRejected);
    }

    private static void check(Rejection rejection, RejectReason reason, String field, boolean isRejected) {
        if (isRejected) {
            assertThat(rejection.reason()).isEqualTo(reason);
            assertThat(rejection.detail()).startsWith(field).contains(" is ");
        } else {
            assertThat(rejection).isNull();
        }
    }
}
