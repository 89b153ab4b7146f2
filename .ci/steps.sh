# Steps of the gate in two lanes: their times, what is skipped, and what is not run again. Sourced by `run`.
#
#   begin FOLDER                   the folder of logs and times
#   step NAME command...           runs a command, and records how long it took
#   beside function                runs a function's steps as the second lane; what it prints is shown by `join`
#   publish NAME, wait_for NAME    one lane says that something is there; the other waits for it
#   unchanged NAME path... -- command...
#                                  runs a command unless it passed in this checkout over the same files
#   skip WHY                       records what could not be tested here
#   join                           waits for the second lane; fails if it failed
#   report                         prints times and skipped tests; fails if a corpus is missing where there should be one

lane=main
second=

begin() {
    folder="$1"
    mkdir -p "$folder/passed"
    rm -rf "$folder"/{times,there-*,lane.log,lane.failed}
    started=$SECONDS
    # Tests add a line to this file when they are skipped.
    OGC_SKIPPED="$folder/skipped"
    : >"$OGC_SKIPPED"
    export OGC_SKIPPED
    trap stop_second_lane EXIT
}

stop_second_lane() {
    [[ -z "$second" ]] || kill -- -"$second" 2>/dev/null || true
}

step() {
    local name="$1" start=$SECONDS
    shift
    [[ "$lane" == second ]] || second_lane_is_well
    printf '\n=== %s\n' "$name"
    "$@"
    printf '%6d s  %-6s  %s\n' $((SECONDS - start)) "$lane" "$name" >>"$folder/times"
}

# A failure of the second lane ends the main lane at its next step.
second_lane_is_well() {
    [[ ! -e "$folder/lane.failed" ]] || join
}

beside() {
    set -m
    (
        set +m
        trap - EXIT
        lane=second
        set -e
        trap ': >"$folder/lane.failed"' ERR
        set -E
        "$1"
    ) >"$folder/lane.log" 2>&1 </dev/null &
    second=$!
    set +m
}

publish() { : >"$folder/there-$1"; }

wait_for() {
    until [[ -e "$folder/there-$1" ]]; do
        second_lane_is_well
        sleep 1
    done
}

skip() { echo "skipped: $1" | tee -a "$OGC_SKIPPED"; }

unchanged() {
    local name="$1" paths=() hash
    shift
    while [[ "$1" != -- ]]; do
        paths+=("$1")
        shift
    done
    shift
    hash="$(inputs "${paths[@]}")"
    if [[ -e "$folder/passed/$name-$hash" ]]; then
        echo "passed before with the same files"
        return
    fi
    # The other lane skips things too, so that those of this step have a file of their own. What was skipped is said again next time.
    local own="$folder/skipped-$name"
    : >"$own"
    OGC_SKIPPED="$own" "$@"
    cat "$own" >>"$OGC_SKIPPED"
    if [[ ! -s "$own" ]]; then
        rm -f "$folder/passed/$name-"*
        : >"$folder/passed/$name-$hash"
    fi
}

# A hash of the files below some paths as they are in the working tree, those that git ignores left out.
inputs() {
    {
        cat .ci/run .ci/steps.sh
        git ls-files -z --cached --others --exclude-standard -- "$@" | sort -z | xargs -0 sha256sum 2>/dev/null
    } | sha256sum | cut -c1-32
}

join() {
    [[ -n "$second" ]] || return 0
    local status=0 waited=$SECONDS
    wait "$second" || status=$?
    second=
    cat "$folder/lane.log"
    printf '%6d s  %-6s  %s\n' $((SECONDS - waited)) main "waiting for the second lane" >>"$folder/times"
    if [[ "$status" != 0 ]]; then
        printf '\nThe second lane failed: %s\n' "$(grep '^=== ' "$folder/lane.log" | tail -n 1)"
        exit "$status"
    fi
}

report() {
    local wanting
    printf '\n=== skipped\n'
    sort -u "$OGC_SKIPPED"
    printf '%s skipped\n' "$(sort -u "$OGC_SKIPPED" | wc -l)"
    printf '\n=== times\n'
    cat "$folder/times"
    printf '%6d s  in all\n' $((SECONDS - started))
    wanting="$(sort -u "$OGC_SKIPPED" | grep -c ': no corpus' || true)"
    if [[ "$wanting" == 0 ]]; then
        return
    elif [[ -n "${OGC_CORPORA:-}" || -d ../shared/data ]]; then
        echo "$wanting have no corpus in ${OGC_CORPORA:-../shared/data}: add it, or unset OGC_CORPORA"
        exit 1
    fi
    printf '\n############################################################\n'
    printf '###  THERE ARE NO CORPORA: %s TESTS DID NOT RUN\n' "$wanting"
    printf '############################################################\n'
}
