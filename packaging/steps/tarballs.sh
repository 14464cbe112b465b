# The two tarballs. Sourced by ./release.

# tarball FOLDER NAME: packs FOLDER as NAME.tar.gz; the same files make the same bytes.
tarball() {
  tar -c --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    -C "${1%/*}" --transform "s|^${1##*/}|$2|" "${1##*/}" | gzip -n > "$dist/$2.tar.gz"
}

pack_tarballs() {
  tarball "$work/app" "forewarn-$version" &
  tarball "$work/app-x64" "forewarn-$version-linux-x64"
  wait $!
}
