/**
 * One node of a cluster: which node is the writer, what time it is for all of them, and how requests that only the writer may
 * decide reach it. Used by {@code boot}, which supplies the store. Uses the engine if this node is the writer, and otherwise
 * {@code forward}.
 */
package io.forewarn.server.cluster;
