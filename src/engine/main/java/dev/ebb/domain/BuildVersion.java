package dev.ebb.domain;

/** The version of Ebb. */
public final class BuildVersion {

    private BuildVersion() {}

    /** Returns the version that the build wrote into the jar; "development" where there is no jar. */
    public static String text() {
        String version = BuildVersion.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
