package io.forewarn.wire.control;

/**
 * How much a tenant has of something, and how much its owners may have.
 *
 * @param used how much it has
 * @param most how much its owners may have; an operator may add more
 * @param usual whether that is what the settings say for all tenants
 */
public record QuotaBody(long used, long most, boolean usual) {}
