package io.forewarn.server.notification;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.Addresses;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** A range of addresses, written {@code 10.1.0.0/16} or {@code fd00::/8}; without a slash, a single address. */
record CidrBlock(byte[] prefix, int bits) {
    static CidrBlock parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        try {
            byte[] bytes = InetAddress.getByName(Addresses.canonical(address).orElseThrow(() -> wrong(text)))
                    .getAddress();
            int bits = slash < 0 ? bytes.length * 8 : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > bytes.length * 8) {
                throw wrong(text);
            }
            return new CidrBlock(bytes, bits);
        } catch (NumberFormatException | UnknownHostException malformed) {
            throw wrong(text);
        }
    }

    private static RefusedException wrong(String text) {
        return new RefusedException(
                Problem.BAD_INPUT, "'" + text + "' is not a network; use 10.1.0.0/16, fd00::/8 or a single address");
    }

    boolean contains(byte[] address) {
        if (address.length != prefix.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % 8;
            if ((address[bit / 8] & mask) != (prefix[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }
}
