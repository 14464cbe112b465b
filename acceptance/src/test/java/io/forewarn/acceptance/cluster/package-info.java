/**
 * Three nodes on a real etcd of three members, seen from outside only, while any of the six processes misbehave: the promises of
 * one node hold for all of them together. {@code bench/faults cluster} comes in for more rounds.
 */
package io.forewarn.acceptance.cluster;
