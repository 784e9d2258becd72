package dev.ebb.topology.trash;

import java.security.SecureRandom;

/**
 * Hash of the name of an event: SipHash-2-4 with a key of its own, so that no sender can choose two ids with one hash
 * (T-16). By chance two of a million are equal once in thirty million times. Immutable.
 */
final class NameHash {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int CHARS_OF_WORD = Long.BYTES / Character.BYTES;

    private final long first;
    private final long second;

    NameHash(long first, long second) {
        this.first = first;
        this.second = second;
    }

    static NameHash random() {
        return new NameHash(RANDOM.nextLong(), RANDOM.nextLong());
    }

    long of(String stream, String id) {
        State state = new State(first, second);
        state.add(((long) stream.length() << Integer.SIZE) | id.length());
        state.add(stream);
        state.add(id);
        return state.end();
    }

    /** The four words of SipHash. Not thread-safe. */
    private static final class State {

        private long a;
        private long b;
        private long c;
        private long d;

        State(long first, long second) {
            a = first ^ 0x736f6d6570736575L;
            b = second ^ 0x646f72616e646f6dL;
            c = first ^ 0x6c7967656e657261L;
            d = second ^ 0x7465646279746573L;
        }

        void add(String text) {
            for (int from = 0; from < text.length(); from += CHARS_OF_WORD) {
                long word = 0;
                for (int i = from; i < Math.min(text.length(), from + CHARS_OF_WORD); i++) {
                    word = (word << Character.SIZE) | text.charAt(i);
                }
                add(word);
            }
        }

        void add(long word) {
            d ^= word;
            round();
            round();
            a ^= word;
        }

        long end() {
            c ^= 0xff;
            for (int i = 0; i < 4; i++) {
                round();
            }
            return a ^ b ^ c ^ d;
        }

        private void round() {
            a += b;
            c += d;
            b = Long.rotateLeft(b, 13) ^ a;
            d = Long.rotateLeft(d, 16) ^ c;
            a = Long.rotateLeft(a, 32);
            c += b;
            a += d;
            b = Long.rotateLeft(b, 17) ^ c;
            d = Long.rotateLeft(d, 21) ^ a;
            c = Long.rotateLeft(c, 32);
        }
    }
}
