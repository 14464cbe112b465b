# The container image, put together from files: no daemon, no base image. Sourced by ./release.

image_user=10001

# Debian packages whose files the image needs beside the runtime: the C library, and one static program for a shell and the health check.
image_packages=(libc6 busybox-static)

pack_image() {
  fetch_packages
  base_layer
  program_layer
  local layers=("$work/layer-base" "$work/layer-program") layer tars=() digests=() sizes=() ids=()
  for layer in "${layers[@]}"; do
    same_times "$layer"
    tar -c --sort=name --format=gnu --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 -C "$layer" --exclude=./var/lib/forewarn . > "$layer.tar"
    # The one folder that the service may write, and that a new volume takes its owner from.
    [ ! -d "$layer/var/lib/forewarn" ] ||
      tar -r --format=gnu --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --owner=$image_user --group=$image_user -f "$layer.tar" -C "$layer" ./var/lib/forewarn
    gzip -n -6 -c "$layer.tar" > "$layer.tar.gz"
    ids+=("$(digest "$layer.tar")")
    digests+=("$(digest "$layer.tar.gz")")
    sizes+=("$(stat -c %s "$layer.tar.gz")")
    tars+=("$layer.tar")
  done
  image_config "${ids[@]}" > "$work/image-config.json"
  docker_archive "${tars[@]}"
  oci_layout
}

digest() { sha256sum "$1" | cut -d' ' -f1; }

# Kept between builds: the versions change rarely. What was fetched is named in the image, in /usr/share/doc.
fetch_packages() {
  local cache=$root/.build/image-packages package
  mkdir -p "$cache"
  command -v apt-get >/dev/null || { echo 'the image needs apt-get, to fetch the C library; without it: --only tarballs,debs,maven,sbom,notes'; return 1; }
  for package in "${image_packages[@]}"; do
    compgen -G "$cache/${package}_*_amd64.deb" >/dev/null ||
      (cd "$cache" && apt-get download -o APT::Sandbox::User=root "$package:amd64")
  done
}

base_layer() {
  local layer=$work/layer-base unpacked=$work/unpacked package file
  mkdir -p "$unpacked" "$layer/bin" "$layer/etc" "$layer/tmp" "$layer/usr/bin" "$layer/usr/share/doc" "$layer/var/lib/forewarn"
  for package in "${image_packages[@]}"; do
    dpkg-deb -x "$root/.build/image-packages/${package}"_*_amd64.deb "$unpacked"
  done
  # What the runtime and the native libraries link to, and name resolution.
  mkdir -p "$layer/lib/x86_64-linux-gnu" "$layer/lib64"
  for file in ld-linux-x86-64.so.2 libc.so.6 libdl.so.2 libm.so.6 libpthread.so.0 librt.so.1 libresolv.so.2 libnss_files.so.2 libnss_dns.so.2; do
    cp -L "$unpacked/lib/x86_64-linux-gnu/$file" "$layer/lib/x86_64-linux-gnu/"
  done
  ln -s ../lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 "$layer/lib64/ld-linux-x86-64.so.2"
  cp "$unpacked/bin/busybox" "$layer/bin/"
  for file in sh ls cat env readlink stty wget ps kill sleep grep head vi id; do ln -s busybox "$layer/bin/$file"; done
  ln -s /bin/env "$layer/usr/bin/env"
  for package in "${image_packages[@]}"; do
    mkdir -p "$layer/usr/share/doc/$package"
    cp "$unpacked/usr/share/doc/$package/copyright" "$layer/usr/share/doc/$package/"
    dpkg-deb -f "$root/.build/image-packages/${package}"_*_amd64.deb Package Version > "$layer/usr/share/doc/$package/version"
  done
  printf 'root:x:0:0:root:/:/bin/sh\nforewarn:x:%s:%s:Forewarn:/var/lib/forewarn:/bin/sh\n' $image_user $image_user > "$layer/etc/passwd"
  printf 'root:x:0:\nforewarn:x:%s:\n' $image_user > "$layer/etc/group"
  printf 'hosts: files dns\n' > "$layer/etc/nsswitch.conf"
  chmod -R u=rwX,go=rX "$layer"
  chmod 1777 "$layer/tmp"
  chmod 750 "$layer/var/lib/forewarn"
}

program_layer() {
  local layer=$work/layer-program
  mkdir -p "$layer/usr/lib/forewarn" "$layer/usr/bin" "$layer/usr/share/doc/forewarn" "$layer/etc/forewarn"
  cp -a "$work/app-x64/bin" "$work/app-x64/lib" "$work/app-x64/runtime" "$layer/usr/lib/forewarn/"
  ln -s ../lib/forewarn/bin/forewarn "$layer/usr/bin/forewarn"
  cp -a "$work/app-x64/licences" "$work/app-x64/LICENSE" "$work/app-x64/NOTICE" "$layer/usr/share/doc/forewarn/"
  install -m 644 "$root/packaging/image/forewarn.yaml" "$root/packaging/image/demo-fleet.yaml" "$layer/etc/forewarn/"
}

# image_config LAYER-ID...
image_config() {
  local ids
  ids=$(printf '"sha256:%s",' "$@")
  sed -e "s|@VERSION@|$version|g" -e "s|@CREATED@|$timestamp|" -e "s|@USER@|$image_user:$image_user|" -e "s|@LAYERS@|${ids%,}|" "$root/packaging/image/config.json"
}

docker_archive() {
  local folder=$work/docker-archive tar names=
  mkdir -p "$folder"
  cp "$work/image-config.json" "$folder/$(digest "$work/image-config.json").json"
  for tar in "$@"; do
    mkdir -p "$folder/$(digest "$tar")"
    ln "$tar" "$folder/$(digest "$tar")/layer.tar"
    names=$names,\"$(digest "$tar")/layer.tar\"
  done
  printf '[{"Config":"%s.json","RepoTags":["forewarn:%s","forewarn:latest"],"Layers":[%s]}]\n' "$(digest "$work/image-config.json")" "$version" "${names#,}" > "$folder/manifest.json"
  same_times "$folder"
  tar -c --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$folder" . > "$dist/forewarn-$version-image.tar"
}

oci_layout() {
  local folder=$work/oci blobs=$work/oci/blobs/sha256 i list= manifest config=$work/image-config.json
  mkdir -p "$blobs"
  for i in "${!layers[@]}"; do
    ln "${layers[$i]}.tar.gz" "$blobs/${digests[$i]}"
    list=$list,$(printf '{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip","digest":"sha256:%s","size":%s}' "${digests[$i]}" "${sizes[$i]}")
  done
  cp "$config" "$blobs/$(digest "$config")"
  manifest=$work/oci-manifest.json
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:%s","size":%s},"layers":[%s]}\n' \
    "$(digest "$config")" "$(stat -c %s "$config")" "${list#,}" > "$manifest"
  cp "$manifest" "$blobs/$(digest "$manifest")"
  printf '{"imageLayoutVersion":"1.0.0"}\n' > "$folder/oci-layout"
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:%s","size":%s,"platform":{"architecture":"amd64","os":"linux"},"annotations":{"org.opencontainers.image.ref.name":"%s"}}]}\n' \
    "$(digest "$manifest")" "$(stat -c %s "$manifest")" "$version" > "$folder/index.json"
  same_times "$folder"
  tar -c --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$folder" . > "$dist/forewarn-$version-oci.tar"
}
