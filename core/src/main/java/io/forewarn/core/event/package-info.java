/** Events: types, contents, and the table of their transitions. */
package io.forewarn.core.event;
