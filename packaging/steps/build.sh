# Compiles the program and lays it out as it is installed. Sourced by ./release; $root, $work, $dist, $version and $log are set.

# Sets jdk, version and feature to a JDK 25 with jlink: JAVA_HOME, or one in the usual directory.
find_release_jdk() {
  local candidate
  for candidate in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    [ -n "$candidate" ] && [ -x "$candidate/bin/jlink" ] && read_version "$candidate" || continue
    feature=${version%%[!0-9]*}
    if [ "$feature" = 25 ]; then
      jdk=$candidate
      return 0
    fi
  done
  echo './release: JDK 25 is needed, because its runtime is part of the release: set JAVA_HOME to one (such as Temurin 25), or install it in /usr/lib/jvm' >&2
  return 1
}

# $1 says what is done; the rest is the command that does it.
step() {
  local what=$1 started=$SECONDS
  shift
  printf '%s ... ' "$what"
  # Not in a condition: there, set -e would not end a step that fails in the middle.
  set +e
  (set -e; "$@") >>"$log" 2>&1 </dev/null 9>&-
  local status=$?
  set -e
  if [ $status != 0 ]; then
    echo "failed after $((SECONDS - started))s; the end of $log:"
    tail -n 25 "$log"
    exit 70
  fi
  echo "done in $((SECONDS - started))s"
}

# The first value of an element of the top pom.xml: the project's own version comes first.
pom_value() { sed -n "s|.*<$1>\(.*\)</$1>.*|\1|p" "$root/pom.xml" | head -n 1; }

maven() { JAVA_HOME=$jdk "$maven" -B -ntp -Dbuild.folder=target/release "$@"; }

compile_program() {
  rm -rf "$root"/*/target/release
  maven -T 2 -pl cli -am package -DskipTests -Dskip.test.compile=true
}

# Lays the program out as both tarballs have it: bin, lib, share and the texts.
stage_program() {
  local app=$work/app jar name
  mkdir -p "$app/bin" "$app/lib" "$app/share/man/man1" "$app/share/bash-completion/completions" "$app/share/zsh/site-functions" "$app/systemd"
  install -m 755 "$root/packaging/launcher" "$app/bin/forewarn"
  for jar in "$root"/cli/target/release/lib/*.jar "$root"/cli/target/release/cli-"$version".jar; do
    name=${jar##*/}
    # Our own get a name that says so: core-0.1.0.jar could be anybody's.
    [ ! -d "$root/${name%-"$version".jar}" ] || name=forewarn-$name
    install -m 644 "$jar" "$app/lib/$name"
  done
  (cd "$app/lib" && printf '%s\n' *.jar | LC_ALL=C sort > class-path)
  # The JDK looks into every jar for handlers of http: commands that only talk to a server get few.
  grep -E '^(forewarn-(cli|core|wire)|jackson|picocli|snakeyaml)-' "$app/lib/class-path" > "$app/lib/command-path"
  install -m 644 "$root/packaging/forewarn.service" "$app/systemd/"
  install -m 644 "$root/packaging/forewarn.yaml" "$root/LICENSE" "$root/NOTICE" "$root/README.md" "$root/CHANGELOG.md" "$root/SECURITY.md" "$app/"
  mkdir -p "$app/docs/decisions"
  install -m 644 "$root"/docs/*.md "$app/docs/"
  install -m 644 "$root"/docs/decisions/*.md "$app/docs/decisions/"
  cp -r "$root/examples" "$app/examples"
  licences "$app"
  local program=("$jdk/bin/java" -cp "$(class_path "$app")")
  "${program[@]}" io.forewarn.cli.ManualPages "$app/share/man/man1" "$timestamp"
  "${program[@]}" io.forewarn.cli.Main completion bash > "$app/share/bash-completion/completions/forewarn"
  "${program[@]}" io.forewarn.cli.Main completion zsh > "$app/share/zsh/site-functions/_forewarn"
  chmod -R u=rwX,go=rX "$app"
  same_times "$app"
}

class_path() { sed "s|^|$1/lib/|" "$1/lib/class-path" | paste -sd:; }

command_path() { sed "s|^|$1/lib/|" "$1/lib/command-path" | paste -sd:; }

# The licences and notices that the libraries bring in their jars, and a list of them all.
licences() {
  local app=$1 jar folder
  for jar in "$app"/lib/*.jar; do
    folder=$app/licences/$(basename "$jar" .jar)
    case ${jar##*/} in forewarn-*) continue ;; esac
    listed "${jar##*/}" || { echo "packaging/THIRD-PARTY.md does not list ${jar##*/}"; return 1; }
    mkdir -p "$folder"
    unzip -q -o -j "$jar" 'META-INF/LICENSE*' 'META-INF/NOTICE*' 'META-INF/license/*' 'META-INF/maven/org.xerial/sqlite-jdbc/LICENSE*' -d "$folder" || :
    rmdir "$folder" 2>/dev/null || :
  done
  install -m 644 "$root/packaging/THIRD-PARTY.md" "$app/licences/THIRD-PARTY.md"
}

# Whether the list names a library: by its whole name, or by the beginning of it and a star.
listed() {
  local name=${1%-[0-9]*.jar}
  # A classifier follows the version.
  case $name in *-[0-9]*) name=${name%%-[0-9]*} ;; esac
  while [ -n "$name" ]; do
    ! grep -q -e "[ (]$name[,:) ]" -e "[ (]$name-\*[,) ]" "$root/packaging/THIRD-PARTY.md" || return 0
    case $name in *-*) name=${name%-*} ;; *) return 1 ;; esac
  done
}

# Every file gets the same time: a class archive remembers the times of its jars, and a tarball is to be the same in two builds.
same_times() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }
