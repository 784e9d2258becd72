/** The REST interface as the command line sees it. */
@NullMarked
package dev.ebb.cli.client;

import org.jspecify.annotations.NullMarked;
