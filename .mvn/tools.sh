# What ./forewarn and ./test both need: a JDK, a Maven, and Debian packages. Sourced, never run; $root is the repository.

# Sets version to that of the JDK in directory $1, from its release file because starting a JVM to ask costs 50 ms.
read_version() {
  local line
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  while IFS= read -r line; do
    case $line in JAVA_VERSION=*)
      version=${line#*=} version=${version//\"/}
      return 0 ;;
    esac
  done < "$1/release"
  return 1
}

# Sets jdk, version and feature (17 of 17.0.2) from the first Java >= 17 of: JAVA_HOME, the PATH, the usual directory. $1 = build asks for a compiler too.
find_jdk() {
  local candidate on_path
  on_path=$(command -v java 2>/dev/null) && on_path=$(readlink -f "$on_path") && on_path=${on_path%/bin/java}
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*; do
    [ -n "$candidate" ] || continue
    read_version "$candidate" || continue
    jdk=$candidate feature=${version%%[!0-9]*}
    [ "${feature:-0}" -ge 17 ] || continue
    [ "${1:-}" != build ] || [ -x "$candidate/bin/javac" ] || continue
    return 0
  done
  return 1
}

# Installs Debian packages when that is possible without asking; says what to type when it is not.
install_packages() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    mkdir -p "$root/.build"
    { apt-get update -q || true
      DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
    } >"$root/.build/apt.log" 2>&1 </dev/null && return 0
    echo "apt-get could not install $* (the whole log: $root/.build/apt.log):" >&2
    tail -n 5 "$root/.build/apt.log" >&2
    return 1
  fi
  echo "missing: $*. As root: apt-get install $*" >&2
  return 1
}

need_jdk() {
  find_jdk "$@" && return 0
  [ "$(id -u)" != 0 ] || echo "installing a JDK (openjdk-17-jdk-headless) ..." >&2
  install_packages openjdk-17-jdk-headless && find_jdk "$@" && return 0
  echo "Forewarn needs a JDK, version 17 or newer; on Debian: sudo apt-get install openjdk-17-jdk-headless (or set JAVA_HOME)." >&2
  return 1
}

# Sets maven to the wrapper, or to an installed Maven where the wrapper cannot fetch its own.
need_maven() {
  export JAVA_HOME=$jdk
  local why
  if why=$("$root/mvnw" --version 2>&1); then maven=$root/mvnw; return 0; fi
  if command -v mvn >/dev/null; then maven=mvn; return 0; fi
  install_packages maven && maven=mvn && return 0
  printf 'The Maven wrapper said: %s\n' "$why" >&2
  return 1
}
