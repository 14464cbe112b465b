/**
 * The store on an etcd cluster.
 * Implements {@code Store} for the engine with guarded transactions and paged
 * reads.
 */
package io.forewarn.store.etcd;
