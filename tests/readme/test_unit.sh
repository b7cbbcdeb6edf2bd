#!/usr/bin/env bash
# The systemd unit that README.md shows: every line is one that systemd knows, its command is this program's, and it
# is hardened. systemd itself is asked where it is installed.
set -u
cd "$(dirname "$0")/../.." || exit 1

program=${GPUWISE_PROGRAM:-build/gpuwise}
case $program in /*) ;; *) program=$PWD/$program ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unit=$work/gpuwise.service
count=0
result() { # result STATUS TEXT [FILE]
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else
        echo "not ok $count - $2"
        [ $# -lt 3 ] || sed 's/^/# /' "$3" | head -n 20
    fi
}
skip() {
    count=$((count + 1))
    echo "ok $count # SKIP $1"
}

# The one block of README.md that is a unit.
awk '/^```ini$/ { on = 1; next } /^```$/ { on = 0 } on' README.md >"$unit"
[ "$(grep -cx '\[Service\]' "$unit")" -eq 1 ] && grep -qx '\[Unit\]' "$unit" && grep -qx '\[Install\]' "$unit"
result $? "README.md shows one unit with its three sections" "$unit"

# Directives of systemd 247 (Debian 11) and later, from its index of directives; a wider choice than the unit's.
cat >"$work/known" <<'END'
Unit: After Before Conflicts Description Documentation Requires StartLimitBurst StartLimitIntervalSec Wants
Service: AmbientCapabilities BindPaths BindReadOnlyPaths CapabilityBoundingSet CPUQuota DeviceAllow DevicePolicy
Service: DynamicUser Environment EnvironmentFile ExecReload ExecStart ExecStartPost ExecStartPre ExecStop Group
Service: IPAddressAllow IPAddressDeny KillMode KillSignal LimitNOFILE LockPersonality LogsDirectory MemoryDenyWriteExecute
Service: MemoryMax NoNewPrivileges PrivateDevices PrivateMounts PrivateNetwork PrivateTmp PrivateUsers ProcSubset
Service: ProtectClock ProtectControlGroups ProtectHome ProtectHostname ProtectKernelLogs ProtectKernelModules
Service: ProtectKernelTunables ProtectProc ProtectSystem ReadOnlyPaths ReadWritePaths RemoveIPC Restart RestartSec
Service: RestrictAddressFamilies RestrictNamespaces RestrictRealtime RestrictSUIDSGID RuntimeDirectory StandardError
Service: StandardOutput StateDirectory StateDirectoryMode SupplementaryGroups SystemCallArchitectures
Service: SystemCallErrorNumber SystemCallFilter TasksMax TimeoutStartSec TimeoutStopSec Type UMask User WatchdogSec
Service: WorkingDirectory
Install: Alias RequiredBy WantedBy
END
awk 'NR == FNR { section = $1; sub(":", "", section); for (i = 2; i <= NF; i++) known[section "." $i] = 1; next }
    /^\[/ { section = substr($0, 2, length($0) - 2); next }
    /^$/ { next }
    { name = $0; sub("=.*", "", name); if (!(section "." name in known)) print section "." name }' \
    "$work/known" "$unit" >"$work/log"
[ ! -s "$work/log" ]
result $? "every directive is known, in its section" "$work/log"
for wanted in NoNewPrivileges=yes ProtectSystem=strict DynamicUser=yes CapabilityBoundingSet= StateDirectory=gpuwise \
    MemoryDenyWriteExecute=yes PrivateDevices=yes 'RestrictAddressFamilies=AF_INET AF_INET6'; do
    grep -qxF "$wanted" "$unit" || echo "no $wanted"
done >"$work/log"
[ ! -s "$work/log" ]
result $? "what holds it in is there" "$work/log"

# Its environment and command with --help: settings and command are known, nothing starts.
command=$(sed -n 's/^ExecStart=[^ ]*gpuwise //p' "$unit")
# shellcheck disable=SC2086,SC2046 # words of the unit
env $(sed -n 's/^Environment=//p' "$unit") "$program" $command --help >"$work/log" 2>&1
result $? "its command is one of this program" "$work/log"
# shellcheck disable=SC2013 # words are what is wanted
for variable in $(sed -n 's/^Environment=//p' "$unit"); do
    grep -q "${variable%%=*}" "$work/log" || echo "no setting ${variable%%=*}"
done >"$work/names"
[ ! -s "$work/names" ]
result $? "and its variables are settings" "$work/names"

if command -v systemd-analyze >/dev/null; then
    sed -i "s#^ExecStart=[^ ]*gpuwise#ExecStart=$program#" "$unit"
    timeout 60 systemd-analyze verify --man=no "$unit" >"$work/log" 2>&1
    status=$?
    if grep -q "Failed to initialize manager\|Failed to setup" "$work/log"; then
        skip "systemd-analyze verify does not work here"
    else
        [ "$status" -eq 0 ] && ! grep -i gpuwise "$work/log"
        result $? "systemd-analyze verify finds nothing" "$work/log"
    fi
    if timeout 60 systemd-analyze security --offline=true --threshold=20 "$unit" >"$work/log" 2>&1; then
        result 0 "systemd-analyze security: $(tail -n 1 "$work/log" | tr -cd ' -~' | sed 's/^[^O]*//')"
    elif grep -q 'Overall exposure' "$work/log"; then
        result 1 "systemd-analyze security rates it below 2.0 of 10" "$work/log"
    else
        skip "systemd-analyze security does not work without a running systemd here"
    fi
else
    skip "systemd-analyze is not installed"
fi
echo "1..$count"
