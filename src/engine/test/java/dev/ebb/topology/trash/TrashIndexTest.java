package dev.ebb.topology.trash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.model.SeededCases;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records of the trash that an undo means, found with little memory. */
@Tag("T-4")
class TrashIndexTest {

    private static final int CASES = 200;
    private static final int MOST = 8;
    private static final UndoFilter OF_COMMAND = new UndoFilter("c-1", null, null, null, null, null, null, null);
    private static final byte[] VALUE = {1};

    private final List<Entry> trash = new ArrayList<>();

    private record Entry(byte[] key, byte @Nullable [] value, Headers headers) {}

    /** What has been found: the offsets, and whether they are superseded. */
    private record Found(Map<Long, Boolean> events, boolean isInMemory, int remembered) {}

    /** However many are meant, two readings are enough (T-16). */
    @Test
    @Tag("T-16")
    void shouldRememberNoMoreThanFitsIntoMemory() {
        // given
        for (int i = 0; i < 10_000; i++) {
            deleted("s/" + i % 7, "e" + i, i, "c-1");
        }

        // when
        Found below = read(10_001);
        Found at = read(10_000);
        Found above = read(9_999);
        Found small = read(MOST);

        // then
        assertThat(List.of(below.isInMemory(), at.isInMemory())).containsOnly(true);
        assertThat(List.of(above.isInMemory(), small.isInMemory())).containsOnly(false);
        assertThat(small.remembered()).isEqualTo(MOST);
        assertThat(List.of(at.events(), above.events(), small.events()))
                .allSatisfy(found -> assertThat(found).hasSize(10_000).isEqualTo(below.events()));
    }

    /** Forms of one id have one name, so that no part of the file can hold some of them only. */
    @Test
    void shouldFindAllFormsOfOneId() {
        // given
        for (int i = 0; i < 3 * MOST; i++) {
            deleted("s/1", "e", i, "c-1");
        }

        // when
        Found found = read(MOST);

        // then
        assertThat(found.events().values())
                .filteredOn(isSuperseded -> !isSuperseded)
                .hasSize(1);
        assertThat(found.events()).hasSize(3 * MOST).containsEntry(3L * MOST - 1, false);
    }

    /** What this undo has brought back before a crash still stands in the place of older forms; nothing else does. */
    @Test
    @Tag("T-2")
    void shouldKnowAfterACrashWhatItHasBroughtBack() {
        // given
        deleted("s/1", "mine", 1, "c-1");
        deleted("s/1", "mine", 2, "c-1");
        deleted("s/1", "erased", 1, "c-1");
        deleted("s/1", "erased", 2, "c-1");
        deleted("s/1", "theirs", 1, "c-1");
        deleted("s/1", "theirs", 2, "c-1");
        takenOut("s/1", "mine", 2, 1, "u-1");
        takenOut("s/1", "erased", 2, 3, "");
        takenOut("s/1", "theirs", 2, 5, "u-0");

        // when
        Found found = read(MOST);

        // then
        assertThat(found.events()).isEqualTo(Map.of(0L, true, 2L, false, 4L, false));
    }

    @Test
    void shouldFindTheSameInAFileAsInMemory() {
        SeededCases.forAll(CASES, this::compare);
    }

    private void compare(Random random) {
        trash.clear();
        Map<Long, Boolean> expected = new TreeMap<>();
        Map<String, Long> newest = new HashMap<>();
        for (int i = random.nextInt(200); i > 0; i--) {
            String id = "e" + random.nextInt(40);
            long offset = trash.size();
            if (random.nextInt(4) == 0 && newest.containsKey(id)) {
                long gone = newest.remove(id);
                expected.remove(gone);
                takenOut("s/1", id, gone, gone, "");
                expected.entrySet().stream()
                        .filter(entry -> idAt(entry.getKey()).equals(id))
                        .reduce((first, last) -> last)
                        .ifPresent(entry -> {
                            entry.setValue(false);
                            newest.put(id, entry.getKey());
                        });
                continue;
            }
            boolean isMeant = random.nextInt(5) > 0;
            deleted("s/1", id, offset, isMeant ? "c-1" : "c-2");
            if (isMeant) {
                Long former = newest.put(id, offset);
                if (former != null) {
                    expected.put(former, true);
                }
                expected.put(offset, false);
            }
        }
        assertThat(read(MOST).events()).isEqualTo(expected);
        assertThat(read(Integer.MAX_VALUE).events()).isEqualTo(expected);
    }

    private String idAt(long offset) {
        return TrashKey.decode(trash.get((int) offset).key()).id();
    }

    private Found read(int most) {
        Map<Long, Boolean> found = new TreeMap<>();
        int remembered = 0;
        try (TrashIndex index = new TrashIndex(OF_COMMAND, "u-1", TestSeals.guard(), most)) {
            for (int i = 0; i < trash.size(); i++) {
                Entry entry = trash.get(i);
                index.note(i, entry.key(), entry.value(), entry.headers());
                remembered = Math.max(remembered, index.size());
            }
            index.seal();
            for (int i = 0; i < trash.size(); i++) {
                Entry entry = trash.get(i);
                Trashed event = index.read(i, entry.key(), entry.value(), entry.headers());
                if (event != null) {
                    found.put(event.offset(), event.isSuperseded());
                }
            }
            return new Found(found, index.isInMemory(), remembered);
        }
    }

    private void deleted(String stream, String id, long storedAt, String command) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.CAUSE, "DELETE");
        EbbHeaders.set(headers, EbbHeaders.SCOPE, "command");
        EbbHeaders.set(headers, EbbHeaders.COMMAND_ID, command);
        add(key(stream, id, storedAt, trash.size()), VALUE, headers);
    }

    private void takenOut(String stream, String id, long storedAt, long offset, String undoId) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.TRASH_OFFSET, offset);
        if (!undoId.isEmpty()) {
            EbbHeaders.set(headers, EbbHeaders.COMMAND_ID, undoId);
        }
        add(key(stream, id, storedAt, offset), null, headers);
    }

    private void add(byte[] key, byte @Nullable [] value, Headers headers) {
        trash.add(new Entry(key, value, TestSeals.sealed(key, value, headers)));
    }

    private static byte[] key(String stream, String id, long storedAt, long offset) {
        return TrashKey.ofEvent(new StreamName(stream), storedAt, id)
                .withSerial(offset + 1)
                .encode();
    }
}
