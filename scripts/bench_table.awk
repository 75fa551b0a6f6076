# SPDX-License-Identifier: MIT
# Reads the lines of bench/kernels.c, alba's file first, the peer's second (it may be empty), and prints the least CPU time of each
# line, the ratio peer / alba, and whether the results agree.

FNR == 1 { file++ }
$1 == "kernel" || $1 == "draw" || $1 == "cost" {
    key = $1 " " $2
    which = FILENAME ~ /peer\.txt$/ ? "peer" : "alba"
    if (!(key in seen)) { seen[key] = 1; order[++count] = key }
    if (!((which, key) in cpu) || $3 + 0 < cpu[which, key]) { cpu[which, key] = $3 + 0; wall[which, key] = $4 + 0 }
    result[which, key] = $5
}
$1 == "module" {
    which = FILENAME ~ /peer\.txt$/ ? "peer" : "alba"
    if (!($2 in module)) { module[$2] = 1; modules[++module_count] = $2; bytes[$2] = $5 + 0 }
    if ($3 == "-") next
    if (!((which, $2) in took) || $3 + 0 < took[which, $2]) took[which, $2] = $3 + 0
    if (!((which, $2) in kept) || $6 + 0 < kept[which, $2]) kept[which, $2] = $6 + 0
}
END {
    printf "%-28s %12s %12s %8s  %s\n", "", "alba CPU", "peer CPU", "ratio", "result"
    for (i = 1; i <= count; i++) {
        key = order[i]
        split(key, part, " ")
        unit = part[1] == "cost" ? "us" : "ms"
        peer = ratio = note = "-"
        if (("peer", key) in cpu && ("alba", key) in cpu) {
            peer = sprintf("%.3f %s", cpu["peer", key], unit)
            ratio = sprintf("%.1fx", cpu["peer", key] / cpu["alba", key])
            if (part[1] != "cost") {
                a = result["alba", key] + 0; b = result["peer", key] + 0
                difference = a > b ? a - b : b - a
                size = b < 0 ? -b : b
                note = difference <= 1e-3 * size ? "equal" : "DIFFERENT: " a " against " b
                if (note == "equal") { product[part[1]] += log(cpu["peer", key] / cpu["alba", key]); kinds[part[1]]++ }
            }
        }
        printf "%-28s %12s %12s %8s  %s\n", part[2], sprintf("%.3f %s", cpu["alba", key], unit), peer, ratio, note
    }
    for (i = 1; i <= module_count; i++) {
        key = modules[i]
        has_alba = ("alba", key) in took; has_peer = ("peer", key) in took
        if (has_alba && (has_peer || file < 2)) {
            both++; text += bytes[key]
            alba_us += took["alba", key]; alba_kept += kept["alba", key]
            if (has_peer) { peer_us += took["peer", key]; peer_kept += kept["peer", key]; ratios += log(took["peer", key] / took["alba", key]) }
        } else if (has_alba) { only_alba = only_alba " " key } else if (has_peer) { only_peer = only_peer " " key }
    }
    if (both > 0) {
        has_peer = peer_us > 0
        printf "%-28s %12s %12s %8s  %d files, %d bytes of text\n", "modules, all", sprintf("%.0f us", alba_us), has_peer ? sprintf("%.0f us", peer_us) : "-", has_peer ? sprintf("%.1fx", peer_us / alba_us) : "-", both, text
        if (has_peer) { printf "%-28s %12s %12s %8s\n", "modules, geometric mean", "", "", sprintf("%.1fx", exp(ratios / both)) }
        printf "%-28s %12s %12s %8s  kept for each module, mean\n", "modules, memory", sprintf("%.1f KiB", alba_kept / both / 1024), has_peer ? sprintf("%.1f KiB", peer_kept / both / 1024) : "-", has_peer ? sprintf("%.1fx", peer_kept / alba_kept) : "-"
        if (has_peer) { printf "accepted by alba alone:%s\naccepted by the peer alone:%s\n", only_alba, only_peer }
    }
    for (kind in kinds) { printf "%-28s %12s %12s %8s  over %d %ss\n", "geometric mean", "", "", sprintf("%.1fx", exp(product[kind] / kinds[kind])), kinds[kind], kind }
}
