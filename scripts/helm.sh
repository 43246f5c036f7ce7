#!/bin/sh
# Puts Helm, kubeconform and the schemas of the Kubernetes API below .tools/helm, for the tests of the chart. Both programs are built
# from Go modules (100 s of CPU; nothing when Go has built them for another checkout), the schemas come from PyPI and from two Go
# modules. Does nothing that is already done. Where something cannot be had, the file .tools/helm/missing says what and why, the
# tests are skipped, and this script succeeds all the same.
set -u
cd "$(dirname "$0")/.."
tools=$PWD/infra/helm/tools
to=$PWD/.tools/helm
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

missing() {
  mkdir -p "$to"
  echo "$1" >"$to/missing"
  echo "helm: the tests of the chart are skipped: $1" >&2
  exit 0
}
last_line() { grep -v '^[[:space:]]*$' "$1" | tail -1; }

want=$(cat "$tools"/* scripts/helm.sh infra/helm/src/kubernetes-schemas.ts | cksum)
[ "$(cat "$to/ready" 2>/dev/null)" = "$want" ] && exit 0
rm -rf "$to"
command -v go >/dev/null 2>&1 || missing "they need go"
python3 -m pip --version >/dev/null 2>&1 || missing "they need python3 with pip"
echo "helm: building Helm and kubeconform" >&2
mkdir -p "$to"

# Without cgo no C compiler is needed; without optimizing, building takes two thirds of the time.
export GOTOOLCHAIN=local GOWORK=off GOFLAGS="-mod=readonly -modcacherw '-gcflags=all=-N -l'" CGO_ENABLED=0
kubernetes='helm.sh/helm/v3/pkg'
(cd "$tools" && go build -o "$to/" -ldflags "-s -w \
  -X $kubernetes/chartutil.k8sVersionMajor=1 -X $kubernetes/chartutil.k8sVersionMinor=37 \
  -X $kubernetes/lint/rules.k8sVersionMajor=1 -X $kubernetes/lint/rules.k8sVersionMinor=37" \
  helm.sh/helm/v3/cmd/helm github.com/yannh/kubeconform/cmd/kubeconform) >"$log/build" 2>&1 ||
  missing "they could not be built: $(last_line "$log/build")"

# The resource definitions of the Gateway API and of the Prometheus operator. Prints the folder of a module with this very content.
module() { # module@version, sum
  (cd "$log" && go mod download -json "$1") >"$log/module" 2>&1
  grep -q "\"Sum\": \"$2\"" "$log/module" ||
    missing "$1 could not be had: $(grep -m1 Error "$log/module" || last_line "$log/module")"
  sed -n 's/.*"Dir": "\(.*\)".*/\1/p' "$log/module"
}
gateway=$(module sigs.k8s.io/gateway-api@v1.4.1 h1:NPxFutNkKNa8UfLd2CMlEuhIPMQgDQ6DXNKG9sHbJU8=)
[ -n "$gateway" ] || exit 0
operator=github.com/prometheus-operator/prometheus-operator
prometheus=$(module $operator@v0.85.0 h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=)
[ -n "$prometheus" ] || exit 0

python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
  --dest "$log/schemas" -r "$tools/requirements.txt" >"$log/pip" 2>&1 &&
  python3 -m zipfile -e "$log"/schemas/*.whl "$log/wheel" >>"$log/pip" 2>&1 ||
  missing "the schemas of Kubernetes could not be had: $(last_line "$log/pip")"
PATH="$PWD/.tools/bin:$PATH" node infra/helm/src/kubernetes-schemas.ts "$to/schemas" \
  "$log/wheel/kubernetes_validate/kubernetes-json-schema" \
  "$gateway/config/crd/standard/gateway.networking.k8s.io_httproutes.yaml" \
  "$prometheus/example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml" \
  "$prometheus/example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml" >"$log/schemas.log" 2>&1 ||
  missing "the schemas could not be prepared: $(grep -m1 Error "$log/schemas.log" || last_line "$log/schemas.log")"
echo "$want" >"$to/ready"
