/**
 * The store on an etcd cluster.
 * Comes in: commits and scans of the engine, through its door {@code Store}. Goes out: guarded transactions and page-wise
 * reads to etcd; what etcd says is translated here, once.
 */
package io.forewarn.store.etcd;
