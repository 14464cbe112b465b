/** Opens the store that the settings name, and copies one store into another. Uses core, settings and both stores. */
package io.forewarn.server.store;
