/**
 * Work done to something real: the command driver with a program of its own and with libvirt. A served process and its
 * machine come in; domains that change and programs that outlive a crash are what is looked at.
 */
package io.forewarn.acceptance.driver;
