package dev.ebb.bench.opponents;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of the Redis protocol (RESP2) that is needed to send commands without waiting for each answer, which its
 * manual calls pipelining. One thread may send while another one receives.
 */
public final class RedisConnection implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;
    private static final byte[] END = {'\r', '\n'};

    private final Socket socket;
    private final BufferedOutputStream out;
    private final BufferedInputStream in;

    public RedisConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    }

    /** Returns a command in the form of the protocol. */
    public static byte[] command(byte[]... parts) {
        ByteArrayOutputStream command = new ByteArrayOutputStream();
        command.writeBytes(header('*', parts.length));
        for (byte[] part : parts) {
            command.writeBytes(header('$', part.length));
            command.writeBytes(part);
            command.writeBytes(END);
        }
        return command.toByteArray();
    }

    /** Sends a command, possibly later. */
    public void send(byte[] command) throws IOException {
        out.write(command);
    }

    /** Sends all commands that have not been sent yet. */
    public void flush() throws IOException {
        out.flush();
    }

    /**
     * Returns the next answer: bytes, a number, a list of answers, or null.
     *
     * @throws IOException if the answer is an error
     */
    public Object receive() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest.getBytes(StandardCharsets.UTF_8);
            case ':' -> Long.parseLong(rest);
            case '$' -> bytes(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("redis answers " + line);
        };
    }

    private byte[] bytes(int length) throws IOException {
        if (length < 0) {
            return new byte[0];
        }
        byte[] bytes = in.readNBytes(length);
        if (in.read() != END[0] || in.read() != END[1]) {
            throw new EOFException("redis has hung up");
        }
        return bytes;
    }

    private List<Object> list(int length) throws IOException {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            list.add(receive());
        }
        return list;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != END[0]; next = in.read()) {
            if (next < 0) {
                throw new EOFException("redis has hung up");
            }
            line.append((char) next);
        }
        in.read();
        return line.toString();
    }

    private static byte[] header(char kind, int number) {
        return (kind + Integer.toString(number) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
