package dev.ebb.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** Payloads like those of applications: JSON with the same names in each, a few repeated words, and varying numbers. */
final class JsonPayload {

    private static final List<String> WORDS =
            List.of("delivered", "invoice", "warehouse", "customer", "returned", "express", "north", "partial", "paid");
    private static final int CUSTOMERS = 100_000;
    private static final int MOST_CENTS = 1_000_000;

    private JsonPayload() {}

    /**
     * Returns an order.
     *
     * @param bytes the exact size; at least that of an order without its note, some 150
     */
    static byte[] of(RandomGenerator random, int number, int bytes) {
        StringBuilder json = new StringBuilder(bytes);
        json.append(String.format(
                Locale.ROOT,
                "{\"order\":%d,\"customer\":\"c-%05d\",\"amount\":%.2f,\"currency\":\"EUR\",\"items\":%d,\"paid\":%b,\"note\":\"",
                number,
                random.nextInt(CUSTOMERS),
                random.nextInt(MOST_CENTS) / 100.0,
                1 + random.nextInt(9),
                random.nextBoolean()));
        while (json.length() < bytes - 2) {
            json.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
        }
        json.setLength(bytes - 2);
        return json.append("\"}").toString().getBytes(StandardCharsets.UTF_8);
    }
}
