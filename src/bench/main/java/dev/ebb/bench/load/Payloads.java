package dev.ebb.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Payloads of 200 bytes: one half random bytes, which do not compress, and one half JSON as people write it, with the
 * same names in each, a few repeated words, and varying numbers.
 */
final class Payloads {

    private static final int BYTES = 200;
    private static final String BEGIN = "{\"order\":";
    private static final String JSON = BEGIN
            + "%d,\"customer\":\"c-%05d\",\"amount\":%.2f,\"currency\":\"EUR\",\"items\":%d,\"paid\":%b,\"note\":\"";
    private static final byte[] BEGIN_BYTES = BEGIN.getBytes(StandardCharsets.UTF_8);
    private static final List<String> WORDS =
            List.of("delivered", "invoice", "warehouse", "customer", "returned", "express", "north", "partial", "paid");
    private static final int CUSTOMERS = 100_000;
    private static final int MOST_CENTS = 1_000_000;

    private Payloads() {}

    /** @param number differs from payload to payload */
    static byte[] next(SplittableRandom random, long number) {
        return random.nextBoolean() ? json(random, number) : bytes(random);
    }

    private static byte[] bytes(SplittableRandom random) {
        byte[] payload = new byte[BYTES];
        random.nextBytes(payload);
        return payload;
    }

    private static byte[] json(SplittableRandom random, long number) {
        StringBuilder json = new StringBuilder(BYTES);
        json.append(String.format(
                Locale.ROOT,
                JSON,
                number,
                random.nextInt(CUSTOMERS),
                random.nextInt(MOST_CENTS) / 100.0,
                1 + random.nextInt(9),
                random.nextBoolean()));
        while (json.length() < BYTES - 2) {
            json.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
        }
        json.setLength(BYTES - 2);
        return json.append("\"}").toString().getBytes(StandardCharsets.UTF_8);
    }

    static String contentType(byte[] payload) {
        boolean isJson = Arrays.mismatch(BEGIN_BYTES, payload) == BEGIN_BYTES.length;
        return isJson ? "application/json" : "application/octet-stream";
    }
}
