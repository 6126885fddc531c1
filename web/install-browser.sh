#!/bin/sh
# Installs the browser that `cargo xtask web --check` tries the page in, where that is possible without a question:
# on Debian and what is made of it, for root. Elsewhere it says what to do, and fails.
set -eu
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
    echo "no browser: install chromium or Chrome, or name one in the variable CHROMIUM" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
echo "installing chromium" >&2
apt-get update -qq >&2 || true
# Without a font a page has no words.
apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >&2
