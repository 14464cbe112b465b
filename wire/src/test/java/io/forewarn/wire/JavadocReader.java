package io.forewarn.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the source of a record says of it. */
public final class JavadocReader {
    private JavadocReader() {}

    /** Of the record itself, or blank. */
    public static String of(Class<?> type) throws IOException {
        String text = comment(type);
        int end = text.indexOf("\n@");
        return plain((end < 0 ? text.replaceAll("(?s)\\*/.*", "") : text.substring(0, end)).replace("/**", ""));
    }

    /** Of one of its components, or blank. */
    public static String of(Class<?> type, String component) throws IOException {
        Matcher param = Pattern.compile("@param " + component + " (.*?)(?=\\n@|\\n/|$)", Pattern.DOTALL)
                .matcher(comment(type));
        return param.find() ? plain(param.group(1)) : "";
    }

    private static String plain(String text) {
        return text.strip().replaceAll("\\s+", " ").replaceAll("\\{@\\w+ ([^}]*)}", "`$1`");
    }

    private static String comment(Class<?> type) throws IOException {
        Class<?> top = type.getEnclosingClass() == null ? type : type.getEnclosingClass();
        String source =
                Files.readString(Path.of("src/main/java/" + top.getName().replace('.', '/') + ".java"));
        int record = source.indexOf("record " + type.getSimpleName() + "(");
        return source.substring(source.lastIndexOf("/**", record), record).replaceAll("\\s*\\n\\s*\\* ?", "\n");
    }
}
