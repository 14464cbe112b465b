package io.forewarn.wire.control;

/**
 * One member of the etcd that the records are in.
 *
 * @param url where it was asked
 * @param name what etcd calls it
 * @param answers whether it does
 * @param leader whether it is the one the other members follow
 * @param bytes the size of its database
 * @param behind how many changes another member has that this one has not
 * @param problem why it does not answer, or what it complains of
 */
public record EtcdBody(
        String url, String name, boolean answers, boolean leader, Long bytes, Long behind, String problem) {}
