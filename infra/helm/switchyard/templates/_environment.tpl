{{/* Environment variables. */}}

{{/* Variables from the Secret of a service: (dict "root" $ "values" .Values.router "component" "router" "names" (list …)). */}}
{{- define "switchyard.secretVariables" -}}
{{- $secret := include "switchyard.secretName" . -}}
{{- range .names }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }} } }
{{- end }}
{{- end -}}

{{/* What every service gets, and what values add for all and for one. Secrets are refused there. */}}
{{- define "switchyard.commonVariables" -}}
{{- $root := .root -}}
{{- if .port }}
- name: SWITCHYARD_METRICS_PORT
  value: {{ ternary "9464" "0" $root.Values.metrics.enabled | quote }}
{{- end }}
{{- if and $root.Values.nats.replicas (not (has .component (list "router" "backup"))) }}
- name: SWITCHYARD_NATS_REPLICAS
  value: {{ $root.Values.nats.replicas | quote }}
{{- end }}
{{- if $root.Values.certificateAuthorities.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/switchyard/authorities/{{ $root.Values.certificateAuthorities.key }}
{{- end }}
{{- range $name, $value := merge (dict) .values.env $root.Values.env }}
{{- include "switchyard.checkVariable" $name }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "switchyard.checkVariable" -}}
{{- if has . (list "SWITCHYARD_NATS_URL" "SWITCHYARD_REDIS_URL" "SWITCHYARD_FLEET_KEY" "SWITCHYARD_SESSION_KEY" "SWITCHYARD_BOOTSTRAP_API_KEY" "SWITCHYARD_API_KEY" "SWITCHYARD_ROLLOUT_API_KEY" "ENGINE_DEFER_PROBE_TOKEN" "SWITCHYARD_VISITOR_COOKIE_KEY") -}}
{{- fail (printf "env.%s: this variable is secret. Put it into the Secret of the service, under the same name (see values.yaml), and not into values." .) -}}
{{- end -}}
{{- if has . (list "SWITCHYARD_HOST" "SWITCHYARD_PORT" "SWITCHYARD_METRICS_HOST" "SWITCHYARD_METRICS_PORT" "SWITCHYARD_INSTANCE" "SWITCHYARD_GRAPH" "SWITCHYARD_CONFIG" "SWITCHYARD_CONFIG_KEYS" "SWITCHYARD_SUPERGRAPH" "SWITCHYARD_SIGNING_KEY_FILE" "SWITCHYARD_TRACE_KEY_FILE" "SWITCHYARD_REGISTRY_URL" "SWITCHYARD_ROLLOUT_API_KEY_FILE" "SWITCHYARD_TRUSTED_PROXIES" "SWITCHYARD_STUDIO_URL" "SWITCHYARD_LAST_KNOWN_GOOD_DIR" "SWITCHYARD_COMPOSER_WORKERS" "SWITCHYARD_COMPOSER_MEMORY" "SWITCHYARD_NATS_REPLICAS" "SUBGRAPHS_ALLOWED_NETWORKS" "NODE_EXTRA_CA_CERTS") -}}
{{- fail (printf "env.%s: the chart sets this variable itself. Use the value for it (see values.yaml)." .) -}}
{{- end -}}
{{- end -}}

{{/* MiB of a quantity of memory, such as 3Gi, 512Mi, 2G or 1073741824. */}}
{{- define "switchyard.mebibytes" -}}
{{- $text := toString . -}}
{{- $number := regexFind "^[0-9.]+" $text | float64 -}}
{{- $unit := regexReplaceAll "^[0-9.]+" $text "" -}}
{{- $bytes := dict "" 1.0 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 -}}
{{- divf (mulf $number (get $bytes $unit)) 1048576.0 | floor | int64 -}}
{{- end -}}
