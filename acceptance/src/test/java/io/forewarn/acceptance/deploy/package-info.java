/**
 * The service on a real host, as {@code docs/deploy.md} puts it there. The page's own commands come in; namespaces that
 * play a host, its machines and an outsider are what they run in.
 */
package io.forewarn.acceptance.deploy;
