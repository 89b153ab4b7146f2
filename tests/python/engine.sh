# Sourced by tests inside serving engines: an environment of Python for an engine, in cargo's target folder, installed once.
#
#     source "$(dirname "$0")/engine.sh"
#     begin NAME          # sets environment and bin
#     need_model          # what tests/python/run makes in cargo's target folder
#     need_wheel
#     engine FUNCTION     # makes the environment; FUNCTION installs the engine into it, with `install` and `torch_without_cuda`
#
# Sets root, target and models. PYTHON, OGC_MODELS and OGC_SKIPPED are as in tests/python/run.
set -euo pipefail
scripts="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$scripts/../.." && pwd)"
target="$(cd "$root" && cd "${CARGO_TARGET_DIR:-target}" && pwd)"
models="${OGC_MODELS:-$target/models}"
python="${PYTHON:-python3}"

skip() {
    echo "skipped: $1" | tee -a "${OGC_SKIPPED:-/dev/null}"
    exit 0
}

# A new environment when the script that says what is installed changes: $2, or the one that runs.
begin() {
    local hash
    name="$1"
    hash="$(cat "${2:-$0}" "$scripts/engine.sh" "$scripts/requirements.py" "$scripts/torch_stubs.py" <("$python" -V) | sha256sum | cut -c1-16)"
    environment="$target/python/$name-$hash"
    bin="$environment/bin"
}

need_model() {
    [[ -e "$models/SmolLM2-135M-Instruct/written" ]] || skip "$name: no model (tests/python/run)"
}

need_wheel() {
    ls "$target"/python/wheels/ogc-*.whl >/dev/null || { echo "no wheel: tests/python/run builds it" >&2; exit 1; }
}

install() {
    "$bin/python" -m pip install --quiet --disable-pip-version-check "$@" >"$target/python/log" 2>&1
}

torch_without_cuda() {
    "$bin/python" "$scripts/torch_stubs.py" "$("$bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
}

engine() {
    if [[ ! -e "$environment/installed" ]]; then
        "$python" -m venv --clear "$environment" && "$1" && touch "$environment/installed" ||
            skip "$name: it cannot be installed ($(tail -1 "$target/python/log"))"
    fi
    install --force-reinstall --no-deps "$target"/python/wheels/ogc-*.whl || { cat "$target/python/log" >&2; exit 1; }
}
