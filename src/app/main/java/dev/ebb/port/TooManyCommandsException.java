package dev.ebb.port;

/** Thrown when a command is not sent because too many are unfinished; asking again later helps. */
public final class TooManyCommandsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TooManyCommandsException(String message) {
        super(message);
    }
}
