/** One event: what kinds there are, what it carries, and the table of its life. Rules write it; the wire spells it. */
package io.forewarn.core.event;
