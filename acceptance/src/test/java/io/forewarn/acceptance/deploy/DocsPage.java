package io.forewarn.acceptance.deploy;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands a page of the documentation prints. */
public final class DocsPage {
    private static final Pattern BLOCK =
            Pattern.compile("^```(sh [a-z-]+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    /** One fenced block: for whom, and what it says. */
    public record Block(String kind, String text) {}

    private DocsPage() {}

    /** All blocks of commands, in order. */
    public static List<Block> blocks(String page) throws IOException {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher =
                BLOCK.matcher(Files.readString(InstalledTools.project().resolve(page)));
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
        assertFalse(blocks.isEmpty(), () -> page + " prints no commands");
        return blocks;
    }

    /** The blocks of one kind. */
    public static List<String> blocks(String page, String kind) throws IOException {
        List<String> texts = blocks(page).stream()
                .filter(block -> block.kind().equals(kind))
                .map(Block::text)
                .toList();
        assertFalse(texts.isEmpty(), () -> page + " has no block of " + kind);
        return texts;
    }
}
