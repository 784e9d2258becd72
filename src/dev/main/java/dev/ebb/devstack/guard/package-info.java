/**
 * Keeps pages in a browser from calling the services of a development stack. The package runs inside those services,
 * beside their libraries and not those of Ebb, so it needs nothing but their libraries and the JDK.
 */
@NullMarked
package dev.ebb.devstack.guard;

import org.jspecify.annotations.NullMarked;
