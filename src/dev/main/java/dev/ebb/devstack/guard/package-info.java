/**
 * Keeps pages in a browser from calling the services of a development stack. It runs inside of those services, beside
 * their libraries and not ours, so it needs nothing but them and the JDK.
 */
@NullMarked
package dev.ebb.devstack.guard;

import org.jspecify.annotations.NullMarked;
