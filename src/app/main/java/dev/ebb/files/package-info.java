/** Files that Ebb writes for the account it runs as, and the rights of files that it reads. */
@NullMarked
package dev.ebb.files;

import org.jspecify.annotations.NullMarked;
