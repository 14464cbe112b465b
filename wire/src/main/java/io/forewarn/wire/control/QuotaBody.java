package io.forewarn.wire.control;

/**
 * Use and limit of one quota of a tenant.
 *
 * @param used current use
 * @param limit limit for its owners; an operator may exceed it
 * @param usesDefault whether the limit is the default for all tenants
 */
public record QuotaBody(long used, long limit, boolean usesDefault) {}
