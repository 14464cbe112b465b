package io.forewarn.server.metadata;

import io.forewarn.core.engine.EventsDocument;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.wire.azure.ApiVersion;
import io.forewarn.wire.azure.DocumentJson;
import io.forewarn.wire.azure.PreviewOptions;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Documents as they go out: made once per change and version, then only handed over. */
final class RenderedDocuments {
    /**
     * @param etag as the header carries it, with its quotes
     * @param answers the whole answers
     */
    record Rendering(Buffer body, String etag, PollAnswers answers) {}

    /** By kind of group, then by version. Made beforehand: a poll makes nothing. */
    private final Map<GroupKind, List<Function<EventsDocument, Rendering>>> renderers = new EnumMap<>(GroupKind.class);

    RenderedDocuments(PreviewOptions previewOptions) {
        for (GroupKind kind : GroupKind.values()) {
            List<Function<EventsDocument, Rendering>> byVersion = new ArrayList<>();
            for (ApiVersion version : ApiVersion.values()) {
                byVersion.add(document -> render(document, version, kind, previewOptions));
            }
            renderers.put(kind, byVersion);
        }
    }

    Rendering of(GroupView view, EventsDocument document, ApiVersion version) {
        Group group = view.group();
        // Removed just now, so that its machines stand alone.
        GroupKind kind = group == null ? GroupKind.SINGLE : group.kind();
        return document.rendered(version.slot(), renderers.get(kind).get(version.slot()));
    }

    private static Rendering render(
            EventsDocument document, ApiVersion version, GroupKind kind, PreviewOptions previewOptions) {
        byte[] bytes = DocumentJson.render(document, version, kind, previewOptions);
        String etag = Etags.of(document);
        PollAnswers answers = new PollAnswers(bytes, etag);
        return new Rendering(answers.body(), etag, answers);
    }
}
