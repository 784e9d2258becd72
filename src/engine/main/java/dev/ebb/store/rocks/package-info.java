/** A key-value store on RocksDB that keeps an index of its own records without writing it to the changelog. */
@NullMarked
package dev.ebb.store.rocks;

import org.jspecify.annotations.NullMarked;
