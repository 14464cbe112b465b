package io.forewarn.wire.control;

/**
 * One member of the etcd cluster that holds the records.
 *
 * @param url the address at which it was queried
 * @param name its name in etcd
 * @param answers whether it answers
 * @param leader whether it is the leader of the etcd cluster
 * @param bytes size of its database
 * @param behind number of changes that another member has and this one does not
 * @param problem why it does not answer, or what it reports
 */
public record EtcdBody(
        String url, String name, boolean answers, boolean leader, Long bytes, Long behind, String problem) {}
