# SPDX-License-Identifier: MIT
# Reads the lines of bench/kernels.c, alba's file first, the peer's second (it may be empty), and prints the least CPU time of each
# line, the ratio peer / alba, and whether the results agree.

FNR == 1 { file++ }
$1 == "kernel" || $1 == "cost" {
    key = $1 " " $2
    which = FILENAME ~ /peer\.txt$/ ? "peer" : "alba"
    if (!(key in seen)) { seen[key] = 1; order[++count] = key }
    if (!((which, key) in cpu) || $3 + 0 < cpu[which, key]) { cpu[which, key] = $3 + 0; wall[which, key] = $4 + 0 }
    result[which, key] = $5
}
END {
    printf "%-28s %12s %12s %8s  %s\n", "", "alba CPU", "peer CPU", "ratio", "result"
    for (i = 1; i <= count; i++) {
        key = order[i]
        split(key, part, " ")
        unit = part[1] == "kernel" ? "ms" : "us"
        peer = ratio = note = "-"
        if (("peer", key) in cpu && ("alba", key) in cpu) {
            peer = sprintf("%.3f %s", cpu["peer", key], unit)
            ratio = sprintf("%.1fx", cpu["peer", key] / cpu["alba", key])
            if (part[1] == "kernel") {
                a = result["alba", key] + 0; b = result["peer", key] + 0
                difference = a > b ? a - b : b - a
                size = b < 0 ? -b : b
                note = difference <= 1e-3 * size ? "equal" : "DIFFERENT: " a " against " b
                if (part[2] != "" && note == "equal") { product += log(cpu["peer", key] / cpu["alba", key]); kernels++ }
            }
        }
        printf "%-28s %12s %12s %8s  %s\n", part[2], sprintf("%.3f %s", cpu["alba", key], unit), peer, ratio, note
    }
    if (kernels > 0) { printf "%-28s %12s %12s %8s  over %d kernels\n", "geometric mean", "", "", sprintf("%.1fx", exp(product / kernels)), kernels }
}
