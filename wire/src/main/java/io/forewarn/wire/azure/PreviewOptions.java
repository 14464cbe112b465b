package io.forewarn.wire.azure;

/**
 * How api-version 2017-03-01 is spelt where the page and the service it describes differ: contract §2.
 *
 * @param rfc1123Dates NotBefore as in later versions instead of ISO 8601
 * @param underscore names of machines outside a cloud service begin with {@code _}, as the real preview had it
 */
public record PreviewOptions(boolean rfc1123Dates, boolean underscore) {
    /** As the page prints it. */
    public static final PreviewOptions PAGE = new PreviewOptions(false, false);
}
