# The two Debian packages: the same files, once with a Java of their own. Sourced by ./release.

pack_debs() {
  # To Debian, a hyphen begins its own revision, and a tilde comes before everything.
  local deb_version=${version//-/\~}
  deb all "$work/app" 'adduser, init-system-helpers (>= 1.52), default-jre-headless (>= 2:1.17) | java17-runtime-headless'
  deb amd64 "$work/app-x64" 'adduser, init-system-helpers (>= 1.52), libc6 (>= 2.17)'
}

# deb ARCHITECTURE PROGRAM DEPENDS
deb() {
  local architecture=$1 program=$2 depends=$3 to=$work/deb-$1 control name
  local doc=$to/usr/share/doc/forewarn
  mkdir -p "$to/usr/lib/forewarn" "$to/usr/bin" "$to/usr/share/man" "$to/usr/share/bash-completion/completions" "$to/usr/share/zsh/vendor-completions" \
    "$to/usr/share/lintian/overrides" "$to/lib/systemd/system" "$to/etc/forewarn" "$doc" "$to/DEBIAN"
  cp -a "$program/bin" "$program/lib" "$to/usr/lib/forewarn/"
  [ ! -d "$program/runtime" ] || cp -a "$program/runtime" "$to/usr/lib/forewarn/"
  ln -s ../lib/forewarn/bin/forewarn "$to/usr/bin/forewarn"
  cp -a "$program/share/man/man1" "$to/usr/share/man/"
  gzip -n -9 "$to"/usr/share/man/man1/*.1
  cp -a "$program/share/bash-completion/completions/forewarn" "$to/usr/share/bash-completion/completions/"
  cp -a "$program/share/zsh/site-functions/_forewarn" "$to/usr/share/zsh/vendor-completions/"
  install -m 644 "$root/packaging/forewarn.service" "$to/lib/systemd/system/"
  install -m 644 "$root/packaging/forewarn.yaml" "$to/etc/forewarn/"
  cp -a "$program/examples" "$program/docs" "$program/licences" "$program/README.md" "$program/NOTICE" "$doc/"
  copyright > "$doc/copyright"
  changelog | gzip -n -9 > "$doc/changelog.gz"
  gzip -n -9 -c "$root/CHANGELOG.md" > "$doc/CHANGELOG.md.gz"
  install -m 644 "$root/packaging/debian/lintian-overrides" "$to/usr/share/lintian/overrides/forewarn"
  [ -d "$program/runtime" ] || sed -i '/runtime/d; /lib.native/d' "$to/usr/share/lintian/overrides/forewarn"

  for name in postinst prerm postrm; do install -m 755 "$root/packaging/debian/$name" "$to/DEBIAN/$name"; done
  echo /etc/forewarn/forewarn.yaml > "$to/DEBIAN/conffiles"
  (cd "$to" && find usr lib -type f | LC_ALL=C sort | xargs -d '\n' md5sum > DEBIAN/md5sums)
  control=$to/DEBIAN/control
  sed -e "s/@VERSION@/$deb_version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@DEPENDS@/$depends/" \
    -e "s/@SIZE@/$(du -sk --exclude=DEBIAN "$to" | cut -f1)/" "$root/packaging/debian/control" > "$control"
  if [ "$architecture" = all ]; then
    echo ' This package runs on the Java of the distribution.' >> "$control"
  else
    echo ' This package brings its own Java runtime.' >> "$control"
  fi
  chmod -R u=rwX,go=rX "$to"
  chmod 755 "$to"/DEBIAN/p*
  same_times "$to"
  dpkg-deb --build --root-owner-group -Zgzip -z6 "$to" "$dist/forewarn_${deb_version}_$architecture.deb"
}

copyright() {
  cat "$root/packaging/debian/copyright"
}

changelog() {
  printf 'forewarn (%s) stable; urgency=medium\n\n  * Release %s; CHANGELOG.md.gz has the details.\n\n -- %s  %s\n' \
    "$deb_version" "$version" 'The Forewarn authors <forewarn@localhost>' "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
}
