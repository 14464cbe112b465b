package io.forewarn.server.metadata;

import io.forewarn.wire.azure.ApiVersion;
import io.forewarn.wire.guest.GuestRoute;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Parses the target of a request line. The path is case-insensitive and ignores a trailing slash; parameter names
 * are case-insensitive too.
 *
 * @param below the rest of the path under {@code /metadata/instance}
 * @param apiVersion as given; null if absent
 * @param format as given; null if absent
 * @param repeats whether some parameter is given twice
 * @param guest the route under {@code /forewarn/v1}; null for Azure's paths
 * @param authority the host of an absolute URL in the request line; null if there is none
 */
record RequestTarget(
        Resource resource,
        String below,
        String apiVersion,
        ApiVersion version,
        String format,
        boolean repeats,
        GuestRoute.Match guest,
        String authority) {
    /** The resources of the endpoint: contract §1 and §6. */
    enum Resource {
        SCHEDULED_EVENTS("GET, POST"),
        INSTANCE("GET"),
        VERSIONS("GET"),
        GUEST(""),
        DEAD_PREVIEW(""),
        NOTHING("");

        private final String allow;

        Resource(String allow) {
            this.allow = allow;
        }

        String allow() {
            return allow;
        }
    }

    private static final String SCHEDULED_EVENTS = "/metadata/scheduledevents";
    private static final String INSTANCE = "/metadata/instance";

    /** The request targets that nearly every machine sends, parsed beforehand. */
    private static final Map<String, RequestTarget> USUAL = new HashMap<>();

    static {
        for (ApiVersion version : ApiVersion.values()) {
            USUAL.put(usual(version), takenApart(usual(version)));
        }
    }

    /** The target of nearly every poll. */
    static String usual(ApiVersion version) {
        return SCHEDULED_EVENTS + "?api-version=" + version.text();
    }

    static RequestTarget of(String uri) {
        RequestTarget usual = USUAL.get(uri);
        return usual != null ? usual : takenApart(uri);
    }

    private static RequestTarget takenApart(String uri) {
        String rest = withoutAuthority(uri);
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        GuestRoute.Match guest = GuestRoute.match(path).orElse(null);
        Resource resource = guest == null ? resource(path.toLowerCase(Locale.ROOT)) : Resource.GUEST;
        String below = resource == Resource.INSTANCE ? path.substring(INSTANCE.length()) : "";

        String apiVersion = null;
        String format = null;
        boolean repeats = false;
        Set<String> seen = new HashSet<>();
        for (String parameter :
                question < 0 ? new String[0] : rest.substring(question + 1).split("&")) {
            if (parameter.isEmpty()) {
                continue;
            }
            int equals = parameter.indexOf('=');
            String name = decoded(equals < 0 ? parameter : parameter.substring(0, equals))
                    .toLowerCase(Locale.ROOT);
            String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
            repeats |= !seen.add(name);
            if (name.equals("api-version")) {
                apiVersion = value;
            } else if (name.equals("format")) {
                format = value;
            }
        }
        return new RequestTarget(
                resource, below, apiVersion, ApiVersion.of(apiVersion), format, repeats, guest, authority(uri));
    }

    /** The methods it supports. */
    String allow() {
        return guest == null ? resource.allow() : guest.route().method();
    }

    boolean wantsText() {
        return "text".equalsIgnoreCase(format);
    }

    /** A client may send an absolute URL in the request line. */
    private static String withoutAuthority(String uri) {
        if (!uri.regionMatches(true, 0, "http://", 0, 7)) {
            return uri;
        }
        int slash = uri.indexOf('/', 7);
        return slash < 0 ? "/" : uri.substring(slash);
    }

    private static String authority(String uri) {
        String path = withoutAuthority(uri);
        if (path == uri) {
            return null;
        }
        int slash = uri.indexOf('/', 7);
        return slash < 0 ? uri.substring(7) : uri.substring(7, slash);
    }

    private static Resource resource(String path) {
        if (path.equals(SCHEDULED_EVENTS)) {
            return Resource.SCHEDULED_EVENTS;
        }
        if (path.equals("/metadata/latest/scheduledevents")) {
            return Resource.DEAD_PREVIEW;
        }
        if (path.equals("/metadata/versions")) {
            return Resource.VERSIONS;
        }
        return path.equals(INSTANCE) || path.startsWith(INSTANCE + "/") ? Resource.INSTANCE : Resource.NOTHING;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // Not a valid encoding: it matches no known value.
        }
    }
}
