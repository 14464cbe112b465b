package io.forewarn.wire.control;

/**
 * Use and limit of one quota of a tenant.
 *
 * @param used current use
 * @param most limit for its owners; an operator may add more
 * @param usual whether the limit is the default for all tenants
 */
public record QuotaBody(long used, long most, boolean usual) {}
