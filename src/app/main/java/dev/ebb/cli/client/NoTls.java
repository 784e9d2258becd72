package dev.ebb.cli.client;

import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS for a client that speaks none. Java's HTTP client wants a context even then, and reads all certificates that Java
 * trusts for its own, which takes a third of the time of a short command. Nothing can be encrypted or trusted by it.
 */
final class NoTls extends SSLContextSpi {

    static final SSLContext CONTEXT = new Context();

    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private NoTls() {}

    @Override
    protected void engineInit(
            KeyManager @Nullable [] keys, TrustManager @Nullable [] trusted, @Nullable SecureRandom random) {
        throw unused();
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        throw unused();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        throw unused();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        throw unused();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        throw unused();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        throw unused();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        throw unused();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
        return engineGetSupportedSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
        return new SSLParameters(new String[0], VERSIONS.clone());
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("the address begins with http:, so nothing speaks TLS");
    }

    private static final class Context extends SSLContext {
        Context() {
            super(new NoTls(), null, "none");
        }
    }
}
