package io.forewarn.wire.control;

/**
 * One member of the etcd cluster that holds the records.
 *
 * @param url the address at which it was queried
 * @param name its name in etcd
 * @param responding whether it responds
 * @param leader whether it is the leader of the etcd cluster
 * @param databaseBytes size of its database
 * @param revisionsBehind how many changes this member lacks that another member has
 * @param problem why it does not respond, or what it reports
 */
public record EtcdMemberBody(
        String url,
        String name,
        boolean responding,
        boolean leader,
        Long databaseBytes,
        Long revisionsBehind,
        String problem) {}
