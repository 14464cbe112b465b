package io.forewarn.wire.azure;

/**
 * Selects the format of api-version 2017-03-01 where Azure's page and the real service differ: contract §2.
 *
 * @param rfc1123Dates NotBefore as in later versions instead of ISO 8601
 * @param underscore names of machines outside a cloud service begin with {@code _}, as the real preview had it
 */
public record PreviewOptions(boolean rfc1123Dates, boolean underscore) {
    /** As on Azure's page. */
    public static final PreviewOptions PAGE = new PreviewOptions(false, false);
}
