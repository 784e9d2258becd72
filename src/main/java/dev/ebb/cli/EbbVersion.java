package dev.ebb.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
final class EbbVersion implements IVersionProvider {

    static String text() {
        String version = EbbVersion.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"ebb " + text(), "Java ${java.version} on ${os.name}"};
    }
}
