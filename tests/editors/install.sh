#!/usr/bin/env bash
# Installs the editors that the tests drive: code-server (VS Code in a browser) with a driver for it into the folder given, kept between
# runs; Chromium, ripgrep and Neovim as packages of the system.
#
# Prints progress on standard error, and on standard output a line for each editor that cannot be installed, with its name and the reason.
set -uo pipefail
folder="$1"
code_server=4.100.3
playwright=1.65.1

say() { printf '%s\n' "$*" >&2; }

# Installs missing packages of the system; fails if that is not possible.
packages() {
    local name missing=()
    for name in "$@"; do
        command -v "${name%%:*}" >/dev/null || missing+=("${name##*:}")
    done
    [[ ${#missing[@]} == 0 ]] && return
    [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null || return 1
    say "installing ${missing[*]}"
    apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# Builds code-server from its package; its own scripts are not run, because they fetch from elsewhere than the registry.
code_server() {
    local stamp="$folder/installed-$code_server-$playwright"
    [[ -e "$stamp" ]] && return
    say "installing code-server $code_server"
    rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || return 1
    {
        echo '{ "private": true }' >package.json &&
            npm install --ignore-scripts --no-audit --no-fund "code-server@$code_server" "playwright-core@$playwright" &&
            npm rebuild argon2 --build-from-source &&
            cd node_modules/code-server/lib/vscode &&
            npm install --unsafe-perm --omit=dev --ignore-scripts --no-audit --no-fund
    } >install.log 2>&1 || return 1
    # Only the first build products are needed. node-pty's last step fails after its build if the editor is not the expected one.
    npm rebuild node-pty @vscode/spdlog native-watchdog @parcel/watcher @vscode/deviceid --build-from-source >>install.log 2>&1
    mkdir -p node_modules/@vscode/ripgrep/bin && ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
    ln -sfn node_modules node_modules.asar
    (cd bin/remote-cli && ln -sf code-linux.sh code-server) && (cd bin/helpers && ln -sf browser-linux.sh browser.sh)
    touch "$stamp"
}

if ! packages nvim:neovim; then
    echo "neovim client: Neovim is not installed, and apt-get cannot install it"
fi
if ! command -v npm >/dev/null; then
    echo "vscode client: no npm"
elif ! packages chromium rg:ripgrep; then
    echo "vscode client: Chromium or ripgrep is not installed, and apt-get cannot install it"
elif ! (code_server); then
    if npm view code-server version >/dev/null 2>&1; then
        tail -n 20 "$folder/install.log" >&2
        echo "vscode client: code-server could not be built here"
    else
        echo "vscode client: the registry of npm cannot be reached"
    fi
fi
