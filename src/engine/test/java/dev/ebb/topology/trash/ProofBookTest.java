package dev.ebb.topology.trash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.Proofs;
import dev.ebb.model.Policies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** First deletes under each change are known as long as the change is (T-1). */
@Tag("T-1")
class ProofBookTest {

    private static final PolicyKey KEY = PolicyKey.of(Scope.namespace("a"));

    private final Map<String, byte[]> notes = new HashMap<>();
    private PolicySet policies = PolicySet.empty(Policies.BUILT_IN);
    private final ProofBook book = new ProofBook(notes, this::save, () -> policies);

    private void save(String name, byte @Nullable [] value) {
        if (value == null) {
            notes.remove(name);
        } else {
            notes.put(name, value);
        }
    }

    @Test
    void shouldKnowTheFirstDeleteAfterARestart() {
        // given
        Change change = change(1);
        book.deleted("a", RemovalCause.MAX_AGE, "namespace", change, 5);
        book.deleted("a", RemovalCause.MAX_AGE, "namespace", change, 6);

        // when
        ProofBook later = new ProofBook(notes, this::save, () -> policies);

        // then
        assertThat(later.firstDeleteMs("a", RemovalCause.MAX_AGE, "namespace", change))
                .isEqualTo(5);
        assertThat(later.firstDeleteMs("b", RemovalCause.MAX_AGE, "namespace", change))
                .isEqualTo(Proofs.NONE);
        assertThat(later.firstDeleteMs("a", RemovalCause.MAX_AGE, "stream", change))
                .isEqualTo(Proofs.NONE);
        assertThat(later.firstDeleteMs("a", RemovalCause.MAX_COUNT, "namespace", change))
                .isEqualTo(Proofs.NONE);
        assertThat(later.firstDeleteMs("a", RemovalCause.MAX_AGE, "namespace", change(2)))
                .isEqualTo(Proofs.NONE);
    }

    @Test
    void shouldForgetTheProofOfAChangeThatIsUndone() {
        // given
        book.deleted("a", RemovalCause.MAX_AGE, "namespace", change(1), 5);
        book.deleted("a", RemovalCause.MAX_COUNT, "namespace", change(1), 5);
        book.deleted("a", RemovalCause.MAX_AGE, "namespace", change(2), 5);
        book.deleted("a", RemovalCause.MAX_AGE, "namespace", change(3), 5);
        book.deleted("b", RemovalCause.MAX_AGE, "namespace", change(1), 5);
        List<String> former = List.of(change(1).toString());
        Deletion deletion = new Deletion(
                RemovalCause.MAX_AGE, "namespace:a", 2, change(2).toString(), former, "sweep-1", "", 5, 10);

        // when
        book.undone("a", deletion);
        ProofBook later = new ProofBook(notes, this::save, () -> policies);

        // then
        for (ProofBook known : List.of(book, later)) {
            assertThat(known.firstDeleteMs("a", RemovalCause.MAX_AGE, "namespace", change(1)))
                    .isEqualTo(Proofs.NONE);
            assertThat(known.firstDeleteMs("a", RemovalCause.MAX_COUNT, "namespace", change(1)))
                    .isEqualTo(Proofs.NONE);
            assertThat(known.firstDeleteMs("a", RemovalCause.MAX_AGE, "namespace", change(2)))
                    .isEqualTo(Proofs.NONE);
            assertThat(known.firstDeleteMs("a", RemovalCause.MAX_AGE, "namespace", change(3)))
                    .isEqualTo(5);
            assertThat(known.firstDeleteMs("b", RemovalCause.MAX_AGE, "namespace", change(1)))
                    .isEqualTo(5);
        }
    }

    @Test
    void shouldForgetTheProofOfAChangeThatIsUndoneAgain() {
        // given
        Deletion deletion = new Deletion(
                RemovalCause.MAX_AGE, "namespace:a", 1, change(1).toString(), List.of(), "sweep-1", "", 5, 10);
        book.deleted("b", RemovalCause.MAX_AGE, "namespace", change(1), 5);
        book.deleted("a", RemovalCause.MAX_AGE, "namespace", change(1), 5);
        book.undone("a", deletion);
        book.deleted("a", RemovalCause.MAX_AGE, "namespace", change(1), 7);

        // when
        book.undone("a", deletion);

        // then
        assertThat(book.firstDeleteMs("a", RemovalCause.MAX_AGE, "namespace", change(1)))
                .isEqualTo(Proofs.NONE);
    }

    @Test
    void shouldForgetWhatChangesOfLongAgoHaveDeleted() {
        // given a policy that changes each time after it has deleted
        for (int version = 1; version <= 2000; version++) {
            policies = policies.with(edit(version), version, version, version);
            book.deleted("a", RemovalCause.MAX_AGE, "namespace", change(version), version);
        }

        // then
        assertThat(notes).hasSizeLessThanOrEqualTo(257);
        assertThat(book.firstDeleteMs("a", RemovalCause.MAX_AGE, "namespace", change(2000)))
                .isEqualTo(2000);
    }

    private static Change change(long version) {
        return new Change(KEY, version, version, false);
    }

    private static PolicyEdit edit(int version) {
        RetentionPolicy policy = RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(version))
                .build();
        return new PolicyEdit(KEY, policy, null);
    }
}
