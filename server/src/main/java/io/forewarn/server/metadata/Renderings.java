package io.forewarn.server.metadata;

import io.forewarn.core.engine.Document;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.wire.azure.ApiVersion;
import io.forewarn.wire.azure.DocumentJson;
import io.forewarn.wire.azure.Preview;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Documents as they go out: made once per change and version, then only handed over. */
final class Renderings {
    /** @param etag as the header carries it, with its quotes */
    record Rendering(Buffer body, String etag) {}

    private final List<Function<Document, Rendering>> inCloudService = new ArrayList<>();
    private final List<Function<Document, Rendering>> elsewhere = new ArrayList<>();

    Renderings(Preview preview) {
        for (ApiVersion version : ApiVersion.values()) {
            inCloudService.add(document -> render(document, version, GroupKind.CLOUD_SERVICE, preview));
            elsewhere.add(document -> render(document, version, GroupKind.SINGLE, preview));
        }
    }

    Rendering of(GroupView view, Document document, ApiVersion version) {
        Group group = view.group();
        boolean cloudService = group != null && group.kind() == GroupKind.CLOUD_SERVICE;
        return document.rendered(version.slot(), (cloudService ? inCloudService : elsewhere).get(version.slot()));
    }

    private static Rendering render(Document document, ApiVersion version, GroupKind kind, Preview preview) {
        byte[] bytes = DocumentJson.render(document, version, kind, preview);
        return new Rendering(Buffer.buffer(bytes), etag(document));
    }

    static String etag(Document document) {
        return '"' + Long.toString(document.incarnation()) + '"';
    }
}
