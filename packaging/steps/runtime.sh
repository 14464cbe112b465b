# The Java runtime that a release can bring along, and the class archive that fits it. Sourced by ./release.

# What the program and its libraries use, as jdeps tells, but for the desktop (pictures in mails) and the flight recorder; jdk.crypto.ec, jdk.naming.dns
# and jdk.zipfs are found by name at run time.
modules=java.base,java.compiler,java.instrument,java.logging,java.management,java.naming,java.security.jgss,java.security.sasl,java.sql,java.xml,jdk.crypto.ec,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

# Lays the program out once more, with a runtime and unpacked native libraries.
link_runtime() {
  local app=$work/app-x64
  cp -a "$work/app" "$app"
  "$jdk/bin/jlink" --add-modules "$modules" --no-header-files --no-man-pages --output "$app/runtime"
  mkdir -p "$app/lib/native"
  unzip -q -o -j "$app"/lib/sqlite-jdbc-*.jar org/sqlite/native/Linux/x86_64/libsqlitejdbc.so -d "$app/lib/native"
  unzip -q -o -j "$app"/lib/netty-transport-native-epoll-*-linux-x86_64.jar 'META-INF/native/*.so' -d "$app/lib/native"
  chmod -R u=rwX,go=rX "$app/runtime" "$app/lib/native"
  chmod a-x "$app"/lib/native/*
  same_times "$app"
}

# Two archives of the classes that a server and the commands load, so that none is parsed at start. They remember the jars' names, sizes and times.
archive_classes() {
  local app=$work/app-x64 path few
  path=$(class_path "$app")
  few=$(command_path "$app")
  "$root/.mvn/rehearse.sh" "$app/runtime/bin/java" "$path" "$few" "$work/classes.list" "$work/commands.list"
  "$app/runtime/bin/java" -Xshare:dump -XX:SharedClassListFile="$work/classes.list" -XX:SharedArchiveFile="$app/lib/classes.jsa" -cp "$path"
  "$app/runtime/bin/java" -Xshare:dump -XX:SharedClassListFile="$work/commands.list" -XX:SharedArchiveFile="$app/lib/commands.jsa" -cp "$few"
  chmod 644 "$app/lib/classes.jsa" "$app/lib/commands.jsa"
  same_times "$app"
}
