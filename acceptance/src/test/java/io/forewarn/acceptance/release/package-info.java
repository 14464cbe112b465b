/**
 * The release as people install it: tarballs, Debian packages under a real systemd, the container image, the Maven
 * repository. {@code ./release} builds it once for all of these tests.
 */
package io.forewarn.acceptance.release;
