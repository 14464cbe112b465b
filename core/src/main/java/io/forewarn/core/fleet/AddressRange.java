package io.forewarn.core.fleet;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Represents an address range in CIDR notation, {@code 10.1.0.0/16}; a single address is a range of one.
 *
 * @param first its first address, in the canonical form of {@link Addresses}
 * @param prefix the prefix length
 */
public record AddressRange(String first, int prefix) implements Comparable<AddressRange> {
    /** Empty if the text is not a range, or has bits set after its prefix: 10.1.2.3/16 is probably a mistake. */
    public static Optional<AddressRange> parse(String text) {
        int slash = text.indexOf('/');
        Optional<String> address = Addresses.canonical(slash < 0 ? text : text.substring(0, slash));
        if (address.isEmpty()) {
            return Optional.empty();
        }
        byte[] bits = bytes(address.get());
        String length = slash < 0 ? String.valueOf(bits.length * 8) : text.substring(slash + 1);
        if (!length.matches("\\d{1,3}") || Integer.parseInt(length) > bits.length * 8) {
            return Optional.empty();
        }
        AddressRange range = new AddressRange(address.get(), Integer.parseInt(length));
        BigInteger behind =
                BigInteger.ONE.shiftLeft(bits.length * 8 - range.prefix).subtract(BigInteger.ONE);
        return new BigInteger(1, bits).and(behind).signum() == 0 ? Optional.of(range) : Optional.empty();
    }

    /** @param address in the canonical form of {@link Addresses} */
    public boolean contains(String address) {
        byte[] mine = bytes(first);
        byte[] other = bytes(address);
        if (mine.length != other.length) {
            return false;
        }
        int rest = mine.length * 8 - prefix;
        return new BigInteger(1, mine).shiftRight(rest).equals(new BigInteger(1, other).shiftRight(rest));
    }

    private static byte[] bytes(String address) {
        try {
            return InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(address + " is no address", impossible);
        }
    }

    @Override
    public int compareTo(AddressRange other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return first + "/" + prefix;
    }
}
