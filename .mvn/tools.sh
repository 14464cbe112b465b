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
  local candidate on_path=
  # Without a subshell each: this runs before every command.
  if hash java 2>/dev/null; then
    on_path=$(readlink -f "${BASH_CMDS[java]}") && on_path=${on_path%/bin/java}
  fi
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

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

# Installs Debian packages, as root, without asking.
install_packages() {
  local log=$root/.build/apt.log started=$SECONDS
  can_install || return 1
  mkdir -p "$root/.build"
  printf 'installing %s ... ' "$*" >&2
  if { apt-get update -q || true
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
  } >"$log" 2>&1 </dev/null; then
    echo "done in $((SECONDS - started))s" >&2
    return 0
  fi
  echo "failed; the whole log: $log" >&2
  tail -n 5 "$log" >&2
  return 1
}

need_jdk() {
  find_jdk "$@" && return 0
  install_packages openjdk-17-jdk-headless && find_jdk "$@" && return 0
  echo 'Forewarn needs a JDK, 17 or newer. Install one (on Debian: sudo apt-get install openjdk-17-jdk-headless) or set JAVA_HOME.' >&2
  return 1
}

# Sets maven to the wrapper, or to an installed Maven where the wrapper cannot fetch its own.
need_maven() {
  export JAVA_HOME=$jdk
  local why
  if why=$("$root/mvnw" --version 2>&1); then maven=$root/mvnw; return 0; fi
  if command -v mvn >/dev/null; then maven=mvn; return 0; fi
  install_packages maven && maven=mvn && return 0
  echo 'Maven could not be fetched by its wrapper, and none is installed (on Debian: sudo apt-get install maven).' >&2
  printf 'The wrapper said: %s\n' "$why" >&2
  return 1
}
