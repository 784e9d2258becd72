package dev.ebb.sql;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;

/**
 * Creates and upgrades the tables of the mirror. Several instances may do so at the same time: one works, the others
 * wait.
 */
public final class Migrations {

    private static final String LOCATION = "classpath:config/sql";
    private static final String HISTORY = "ebb_schema_history";

    private final Flyway flyway;

    public Migrations(DataSource dataSource) {
        flyway = Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(dataSource)
                .locations(LOCATION)
                .table(HISTORY)
                .failOnMissingLocations(true)
                // The schema may have tables of other programs; Ebb's own versions begin at 1 all the same.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load();
    }

    /**
     * Brings the tables to the newest version.
     *
     * @return the number of steps; 0 if the tables were at the newest version
     * @throws SqlMirrorException if the database cannot be reached, or its tables are not those that this version knows
     */
    public int migrate() {
        try {
            return flyway.migrate().migrationsExecuted;
        } catch (FlywayValidateException e) {
            throw new SqlMirrorException(
                    "the tables of the mirror were not made by this version of Ebb: " + said(e), e);
        } catch (FlywayException e) {
            throw new SqlMirrorException("cannot make the tables of the mirror: " + said(e), e);
        }
    }

    /**
     * Returns the message of the deepest cause, which is the database's own; the exceptions around it repeat it over
     * many lines.
     */
    private static String said(Throwable e) {
        Throwable deepest = e;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
