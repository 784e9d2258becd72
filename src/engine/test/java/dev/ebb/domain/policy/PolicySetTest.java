package dev.ebb.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.time.Durations;
import dev.ebb.model.Policies;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Records that set the fields of a stream. */
@Tag("M-7")
class PolicySetTest {

    private static final StreamName STREAM = new StreamName("orders/eu-1");
    private static final Scope OWN = Scope.stream("orders/eu-1");
    private static final Scope NAMESPACE = Scope.namespace("orders");
    private static final Scope PATTERN = Scope.pattern("mine");

    /** Each field with two values for narrow and wide, its setter and its getter. */
    static Stream<Arguments> fields() {
        return Stream.of(
                field("maxAge", Limit.of(1), Limit.of(2), RetentionPolicy.Builder::maxAge, EffectivePolicy::maxAge),
                field(
                        "maxCount",
                        Limit.of(1),
                        Limit.of(2),
                        RetentionPolicy.Builder::maxCount,
                        policy -> policy.get(PolicyField.MAX_COUNT)),
                field(
                        "maxBytes",
                        Limit.of(1),
                        Limit.of(2),
                        (builder, value) -> builder.set(PolicyField.MAX_BYTES, value),
                        policy -> policy.get(PolicyField.MAX_BYTES)),
                field(
                        "anchor",
                        Anchor.OCCURRED,
                        Anchor.COMPLETED,
                        RetentionPolicy.Builder::anchor,
                        EffectivePolicy::anchor),
                field(
                        "minTtl",
                        Limit.of(1),
                        Limit.of(2),
                        (builder, value) -> builder.set(PolicyField.MIN_TTL, value),
                        EffectivePolicy::minTtl),
                field(
                        "maxTtl",
                        Limit.of(1),
                        Limit.of(2),
                        (builder, value) -> builder.set(PolicyField.MAX_TTL, value),
                        EffectivePolicy::maxTtl),
                field(
                        "allowInfiniteTtl",
                        false,
                        true,
                        (builder, value) -> builder.set(PolicyField.ALLOW_INFINITE_TTL, value),
                        EffectivePolicy::allowInfiniteTtl),
                field(
                        "interval",
                        5L,
                        6L,
                        RetentionPolicy.Builder::intervalMs,
                        policy -> policy.get(PolicyField.INTERVAL)));
    }

    private static <T> Arguments field(
            String name,
            T narrow,
            T wide,
            BiFunction<RetentionPolicy.Builder, T, RetentionPolicy.Builder> setter,
            Function<EffectivePolicy, Sourced<T>> getter) {
        return Arguments.of(name, narrow, wide, setter, getter);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("fields")
    <T> void shouldTakeEachFieldFromTheNarrowestScopeThatSetsIt(
            String name,
            T narrow,
            T wide,
            BiFunction<RetentionPolicy.Builder, T, RetentionPolicy.Builder> setter,
            Function<EffectivePolicy, Sourced<T>> getter) {
        List<Scope> narrowestFirst = List.of(OWN, NAMESPACE, PATTERN, Scope.ALL);
        for (int setBy = 0; setBy < narrowestFirst.size(); setBy++) {
            // given all narrower scopes have a record that does not set the field, all wider ones set it otherwise
            RetentionPolicy[] records = new RetentionPolicy[narrowestFirst.size()];
            for (int i = 0; i < records.length; i++) {
                RetentionPolicy.Builder record = RetentionPolicy.of(narrowestFirst.get(i));
                record.set(PolicyField.PATTERN, narrowestFirst.get(i).equals(NAMESPACE) ? "mine" : null);
                records[i] = (i < setBy ? record : setter.apply(record, i == setBy ? narrow : wide)).build();
            }

            // when
            Sourced<T> value = getter.apply(Policies.setOf(records).effective(STREAM));

            // then
            assertThat(value)
                    .isEqualTo(new Sourced<>(narrow, new PolicySource(narrowestFirst.get(setBy), (long) setBy)));
        }
    }

    @Test
    void shouldMixFieldsOfAllScopes() {
        // given
        PolicySet policies = Policies.setOf(
                RetentionPolicy.of(OWN).maxCount(Limit.of(5)).build(),
                RetentionPolicy.of(NAMESPACE)
                        .set(PolicyField.PATTERN, "cache")
                        .set(PolicyField.MAX_BYTES, Limit.of(9))
                        .build(),
                RetentionPolicy.of(Scope.ALL)
                        .maxAge(Limit.of(7))
                        .intervalMs(77L)
                        .build());

        // when
        EffectivePolicy effective = policies.effective(STREAM);

        // then
        assertThat(effective.get(PolicyField.MAX_COUNT).source()).hasToString("stream:orders/eu-1 (version 0)");
        assertThat(effective.get(PolicyField.MAX_BYTES).source()).hasToString("namespace:orders (version 1)");
        assertThat(effective.maxAge().source()).hasToString("pattern:cache (built-in)");
        assertThat(effective.get(PolicyField.INTERVAL).source()).hasToString("* (version 2)");
        assertThat(effective.minTtl().source()).hasToString("* (built-in)");
    }

    @Test
    void shouldNotLetTheDefaultTouchAnAuditLogThatIsKeptForSevenYears() {
        // given
        Limit sevenYears = Limit.of(Durations.parseMs("2555d"));
        PolicySet policies = Policies.setOf(
                RetentionPolicy.of(Scope.namespace("audit")).maxAge(sevenYears).build(),
                RetentionPolicy.of(Scope.ALL)
                        .maxAge(Limit.of(Durations.parseMs("30d")))
                        .build());

        // then
        assertThat(policies.effective(new StreamName("audit/log")).maxAge().value())
                .isEqualTo(sevenYears);
        assertThat(policies.effective(new StreamName("other/log")).maxAge().value())
                .isEqualTo(Limit.of(Durations.parseMs("30d")));
    }

    @Test
    void shouldLetABuiltInPatternBeatTheRecordForEverything() {
        // given
        PolicySet policies = Policies.setOf(
                RetentionPolicy.of(NAMESPACE).set(PolicyField.PATTERN, "cache").build(),
                RetentionPolicy.of(Scope.ALL)
                        .maxAge(Limit.of(1))
                        .anchor(Anchor.COMPLETED)
                        .build());

        // when
        EffectivePolicy effective = policies.effective(STREAM);

        // then
        assertThat(effective.maxAge().value()).isEqualTo(Limit.of(Durations.parseMs("15m")));
        assertThat(effective.anchor().value()).isEqualTo(Anchor.OCCURRED);
    }

    @Test
    void shouldLetUnlimitedEndTheInheritance() {
        // given
        PolicySet policies = Policies.setOf(
                RetentionPolicy.of(NAMESPACE)
                        .maxCount(Limit.NONE)
                        .set(PolicyField.MIN_TTL, Limit.NONE)
                        .build(),
                RetentionPolicy.of(Scope.ALL)
                        .maxCount(Limit.of(5))
                        .set(PolicyField.MIN_TTL, Limit.of(5))
                        .build());

        // when
        EffectivePolicy effective = policies.effective(STREAM);

        // then
        assertThat(effective.get(PolicyField.MAX_COUNT).value().isNone()).isTrue();
        assertThat(effective.minTtl().value().isNone()).isTrue();
        assertThat(effective.isOverCap(Long.MAX_VALUE, Long.MAX_VALUE)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"stream:orders/eu-1", "namespace:orders", "pattern:mine", "*"})
    void shouldIgnoreADisabledRecordAsIfItWereNotThere(String scope) {
        // given
        RetentionPolicy disabled = RetentionPolicy.of(Scope.parse(scope))
                .maxAge(Limit.of(1))
                .enabled(false)
                .set(PolicyField.PATTERN, scope.startsWith("namespace") ? "cache" : null)
                .build();
        RetentionPolicy namespace =
                RetentionPolicy.of(NAMESPACE).set(PolicyField.PATTERN, "mine").build();
        PolicySet with = scope.startsWith("namespace") ? Policies.setOf(disabled) : Policies.setOf(namespace, disabled);
        PolicySet without = scope.startsWith("namespace") ? Policies.setOf() : Policies.setOf(namespace);

        // then
        assertThat(with.effective(STREAM)).isEqualTo(without.effective(STREAM));
        assertThat(with.policies()).containsKey(Scope.parse(scope));
    }

    @Test
    void shouldGiveAStreamWithoutASlashTheDefaultNamespace() {
        PolicySet policies = Policies.setOf(RetentionPolicy.of(Scope.namespace("default"))
                .maxCount(Limit.of(3))
                .build());

        assertThat(policies.effective(new StreamName("plain"))
                        .get(PolicyField.MAX_COUNT)
                        .value())
                .isEqualTo(Limit.of(3));
        assertThat(policies.effective(new StreamName("default/x"))
                        .get(PolicyField.MAX_COUNT)
                        .value())
                .isEqualTo(Limit.of(3));
        assertThat(policies.effective(new StreamName("other/default"))
                        .get(PolicyField.MAX_COUNT)
                        .value()
                        .isNone())
                .isTrue();
    }

    @Test
    void shouldKeepStreamPoliciesApartFromTheirNeighbours() {
        PolicySet policies =
                Policies.setOf(RetentionPolicy.of(OWN).maxCount(Limit.of(3)).build());

        assertThat(policies.effective(new StreamName("orders/eu-2"))
                        .get(PolicyField.MAX_COUNT)
                        .value()
                        .isNone())
                .isTrue();
        assertThat(policies.effective(STREAM).get(PolicyField.MAX_COUNT).value())
                .isEqualTo(Limit.of(3));
    }

    @Test
    void shouldKeepTheStreamPoliciesOfOneNamespaceApart() {
        PolicySet policies = Policies.setOf(
                RetentionPolicy.of(OWN).maxCount(Limit.of(3)).build(),
                RetentionPolicy.of(Scope.stream("orders/eu-2"))
                        .maxCount(Limit.of(4))
                        .build());

        assertThat(policies.effective(STREAM).get(PolicyField.MAX_COUNT).value())
                .isEqualTo(Limit.of(3));
        assertThat(policies.effective(new StreamName("orders/eu-2"))
                        .get(PolicyField.MAX_COUNT)
                        .value())
                .isEqualTo(Limit.of(4));
    }

    @Test
    void shouldContainWhatIsInForceAlone() {
        // given
        Hold hold = new Hold("c", Scope.ALL, "", "", 1);
        RetentionPolicy off = RetentionPolicy.of(OWN).enabled(false).build();
        PolicySet policies = Policies.setOf(List.of(off), List.of(hold));

        // then
        assertThat(policies.contains(PolicyKey.of(OWN))).isTrue();
        assertThat(policies.contains(PolicyKey.of(NAMESPACE))).isFalse();
        assertThat(policies.contains(PolicyKey.ofHold("c"))).isTrue();
        assertThat(policies.contains(PolicyKey.ofHold("d"))).isFalse();
        assertThat(policies.version()).isZero();
    }

    @Test
    @Tag("O-14")
    void shouldBeAsEditsWouldLeaveIt() {
        // given
        Hold released = new Hold("c", Scope.ALL, "", "", 1);
        Hold placed = new Hold("d", Scope.ALL, "", "", 1);
        RetentionPolicy removed =
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build();
        RetentionPolicy set = RetentionPolicy.of(OWN).maxAge(Limit.of(2)).build();
        PolicySet policies = Policies.setOf(List.of(removed), List.of(released));

        // when
        PolicySet edited = policies.with(List.of(
                new PolicyEdit(PolicyKey.of(OWN), set, null),
                new PolicyEdit(PolicyKey.of(Scope.ALL), null, null),
                new PolicyEdit(placed.key(), null, placed),
                new PolicyEdit(released.key(), null, null)));

        // then
        assertThat(edited.policies())
                .containsOnly(Map.entry(OWN, new VersionedPolicy(set, policies.version(), VersionedPolicy.NOT_YET)));
        assertThat(edited.holds()).containsOnly(Map.entry("d", placed));
        assertThat(edited.version()).isEqualTo(policies.version());
        assertThat(edited.builtIn()).isSameAs(policies.builtIn());
        assertThat(policies.policies()).containsOnlyKeys(Scope.ALL);
    }

    /** Producers choose the names of namespaces, and a set is in force for months: what has gone must leave nothing. */
    @Test
    @Tag("A-8")
    void shouldRememberNothingOfNamespacesThatNoRecordNames() {
        // given
        PolicySet policies = Policies.setOf(
                RetentionPolicy.of(NAMESPACE).maxAge(Limit.of(1)).build(),
                RetentionPolicy.of(OWN).maxAge(Limit.of(2)).build());
        EffectivePolicy ofOthers = policies.effective(new StreamName("other/1"));
        long before = usedBytes();

        // when
        for (int i = 0; i < 1_000_000; i++) {
            assertThat(policies.effective(new StreamName("session-" + i + "/x")) == ofOthers)
                    .isTrue();
        }

        // then: they once took 500 bytes each
        assertThat(usedBytes() - before).isLessThan(50L << 20);
        assertThat(policies.effective(STREAM).maxAge().value()).isEqualTo(Limit.of(2));
        assertThat(policies.effective(new StreamName("orders/2")).maxAge().value())
                .isEqualTo(Limit.of(1));
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void shouldBeAnotherSetAfterAChange() {
        // given
        PolicySet before =
                Policies.setOf(RetentionPolicy.of(NAMESPACE).maxAge(Limit.of(1)).build());
        PolicyEdit edit = new PolicyEdit(
                PolicyKey.of(OWN), RetentionPolicy.of(OWN).maxAge(Limit.of(2)).build(), null);

        // when
        PolicySet after = before.with(edit, 7, 9, 0);

        // then
        assertThat(before.effective(STREAM).maxAge().value()).isEqualTo(Limit.of(1));
        assertThat(after.effective(STREAM).maxAge()).isEqualTo(new Sourced<>(Limit.of(2), new PolicySource(OWN, 7L)));
        assertThat(after.version()).isEqualTo(9);
        assertThat(after.effective(new StreamName("orders/other")).maxAge().value())
                .isEqualTo(Limit.of(1));
        PolicySet removed = after.with(new PolicyEdit(PolicyKey.of(OWN), null, null), 8, 10, 0);
        assertThat(removed.effective(STREAM)).isEqualTo(before.effective(STREAM));
        assertThat(removed.policies()).isEqualTo(before.policies());
        PolicySet bare = removed.with(new PolicyEdit(PolicyKey.of(NAMESPACE), null, null), 9, 11, 0);
        assertThat(after.namespacesWithRecord()).containsExactly("orders");
        assertThat(after.streamsWithRecord()).containsExactly(STREAM.value());
        assertThat(bare.namespacesWithRecord()).isEmpty();
        assertThat(bare.streamsWithRecord()).isEmpty();
        assertThat(bare.with(new PolicyEdition(12, 3)).version()).isEqualTo(12);
        assertThat(after.with(new PolicyEdition(12, 3)).policies()).isEqualTo(after.policies());
    }

    /** The clock may have been ahead when the others came; of them the oldest goes. */
    @Test
    @Tag("T-1")
    void shouldRememberTheChangeThatCameLastAmongMany() {
        // given
        Scope all = Scope.ALL;
        PolicySet set = PolicySet.empty(Policies.BUILT_IN);
        for (int i = 0; i < 20; i++) {
            Hold hold = new Hold("c" + i, all, "", "", 1);
            set = set.with(new PolicyEdit(hold.key(), null, hold), 2 * i, 2 * i, 1000);
            set = set.with(new PolicyEdit(hold.key(), null, null), 2 * i + 1, 2 * i + 1, i == 19 ? 500 : 1000 + i);
        }

        // then
        assertThat(set.changesOn(new StreamName("a")))
                .hasSize(16)
                .extracting(RecentChanges.Change::version)
                .contains(39L, 37L, 9L)
                .doesNotContain(7L);
    }
}
