/**
 * One node among several: who writes, what time it is for all of them, and how what only the writer may decide reaches it.
 * Comes in: {@code boot}, which gives it the store's doors. Goes out: to the engine if this node writes, else to the node that does.
 */
package io.forewarn.server.cluster;
