package dev.ebb.matrix;

/**
 * Versions that are tried together.
 *
 * @param broker the version of the Kafka broker
 * @param java the major version of the Java that runs Ebb
 * @param postgres the version of the PostgreSQL that holds the mirror
 */
record MatrixRow(String broker, int java, String postgres) {

    @Override
    public String toString() {
        return "broker " + broker + ", Java " + java + ", PostgreSQL " + postgres;
    }
}
