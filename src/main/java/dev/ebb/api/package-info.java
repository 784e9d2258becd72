/** The REST interface over ports; knows nothing of what stands behind them. */
@NullMarked
package dev.ebb.api;

import org.jspecify.annotations.NullMarked;
