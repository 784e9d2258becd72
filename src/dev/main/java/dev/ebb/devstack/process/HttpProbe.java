package dev.ebb.devstack.process;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/** Checks whether a service answers. */
final class HttpProbe {
    private static final int TIMEOUT_MS = 2000;

    private HttpProbe() {}

    static boolean isOk(String url) throws IOException {
        var connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        try {
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } finally {
            connection.disconnect();
        }
    }
}
