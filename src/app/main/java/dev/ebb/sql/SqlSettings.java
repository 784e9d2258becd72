package dev.ebb.sql;

import java.nio.file.Path;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Settings for the connection to the database of the mirror. Prints no secret.
 *
 * @param url a JDBC URL of PostgreSQL
 * @param user the user that owns the tables; may be empty
 * @param password the password of the user; may be empty
 * @param passwordFile the file of the password, if it came from one: the sinks are given a reference to the file
 *     instead of the password
 */
public record SqlSettings(String url, String user, String password, Optional<Path> passwordFile) {

    private static final int CONNECT_TIMEOUT_SECONDS = 10;

    /** Returns connections for maintenance: few and short, so that a pool would only hold them open. */
    DataSource dataSource() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        if (!user.isEmpty()) {
            dataSource.setUser(user);
        }
        if (!password.isEmpty()) {
            dataSource.setPassword(password);
        }
        dataSource.setApplicationName("ebb");
        dataSource.setConnectTimeout(CONNECT_TIMEOUT_SECONDS);
        dataSource.setTcpKeepAlive(true);
        return dataSource;
    }

    /** Returns the URL of a sink that sends times and JSON as texts, so that the database finds out what they are. */
    String urlOfUntypedTexts() {
        return url + (url.contains("?") ? "&" : "?") + "stringtype=unspecified";
    }

    /** Returns the password setting of a sink: a reference that the worker resolves, or the password itself. */
    String passwordOfSink() {
        return passwordFile
                .map(Path::toAbsolutePath)
                .map(SqlSettings::reference)
                .orElse(password);
    }

    private static String reference(Path file) {
        return "${directory:" + file.getParent() + ":" + file.getFileName() + "}";
    }

    @Override
    public String toString() {
        return "SqlSettings[" + url.replaceAll("\\?.*", "") + ", " + user + "]";
    }
}
