{{/* The router's settings file: what values say, and the files of TLS. */}}
{{- define "switchyard.router.settings" -}}
{{- $settings := deepCopy .Values.router.settings -}}
{{- range list "host" "port" -}}
{{- if hasKey $settings . -}}
{{- fail (printf "router.settings.%s: the chart decides it, and has no value for it. The port of the Service is router.service.port." .) -}}
{{- end -}}
{{- end -}}
{{- if hasKey $settings "tls" -}}
{{- fail "router.settings.tls: name the Secret with the certificate in router.tls.secret instead." -}}
{{- end -}}
{{- if (dig "engine" "defer_probe_token" "" $settings) -}}
{{- fail "router.settings.engine.defer_probe_token is secret, and settings become a ConfigMap. Put it into the router's Secret as ENGINE_DEFER_PROBE_TOKEN and set router.deferProbeToken." -}}
{{- end -}}
{{- if (dig "rollouts" "visitor_cookie_key" "" $settings) -}}
{{- fail "router.settings.rollouts.visitor_cookie_key is secret, and settings become a ConfigMap. Put it into the router's Secret as SWITCHYARD_VISITOR_COOKIE_KEY and set router.visitorCookieKey." -}}
{{- end -}}
{{- range $id, $provider := (dig "events" "providers" dict $settings) -}}
{{- if or (regexMatch "://[^/@,]*:[^/@,]*@" $provider.url) (and (regexMatch "://[^/@,]+@" $provider.url) (not $provider.password_file)) -}}
{{- fail (printf "router.settings.events.providers.%s.url has a password or a token, and settings become a ConfigMap. Put it into a Secret, mount that with router.extraVolumes and router.extraVolumeMounts, and name the file in password_file or token_file." $id) -}}
{{- end -}}
{{- end -}}
{{- if (dig "subgraphs" "allowed_networks" nil $settings) -}}
{{- fail "router.settings.subgraphs.allowed_networks: use router.subgraphNetworks, which network policies follow as well." -}}
{{- end -}}
{{- if .Values.router.tls.secret -}}
{{- $_ := set $settings "tls" (dict "cert_file" "/etc/switchyard/tls/tls.crt" "key_file" "/etc/switchyard/tls/tls.key") -}}
{{- end -}}
{{- $origins := dig "cors" "origins" list $settings -}}
{{- $studio := .Values.registry.studioUrl | trimSuffix "/" -}}
{{- if and .Values.registry.enabled $studio (not (has "*" $origins)) (not (has $studio $origins)) -}}
{{- $_ := set $settings "cors" (set ($settings.cors | default dict) "origins" (append $origins $studio)) -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{/* Seconds, rounded up, of a duration such as 500ms, 30s, 10m or 1h: (dict "name" "router.settings.…" "value" "30s"). */}}
{{- define "switchyard.seconds" -}}
{{- if not (regexMatch "^[0-9]+(ms|s|m|h)$" (toString .value)) -}}
{{- fail (printf "%s is %q: expected a duration such as 500ms, 30s or 10m." .name (toString .value)) -}}
{{- end -}}
{{- $count := regexFind "^[0-9]+" .value | int64 -}}
{{- $unit := regexFind "[a-z]+$" .value -}}
{{- if eq $unit "ms" }}{{ div (add $count 999) 1000 }}{{ else }}{{ mul $count (get (dict "s" 1 "m" 60 "h" 3600) $unit) }}{{ end -}}
{{- end -}}

{{/* Seconds between being told to stop and being killed: more than the router takes to stop. */}}
{{- define "switchyard.router.grace" -}}
{{- $shutdown := .Values.router.settings.shutdown | default dict -}}
{{- $delay := include "switchyard.seconds" (dict "name" "router.settings.shutdown.pre_stop_delay" "value" ($shutdown.pre_stop_delay | default "0s")) | int64 -}}
{{- $drain := include "switchyard.seconds" (dict "name" "router.settings.shutdown.drain_timeout" "value" ($shutdown.drain_timeout | default "30s")) | int64 -}}
{{- $least := add $delay $drain -}}
{{- $wanted := .Values.router.terminationGracePeriodSeconds | int64 -}}
{{- if and $wanted (le $wanted $least) -}}
{{- fail (printf "router.terminationGracePeriodSeconds is %d: expected more than the %d s that pre_stop_delay and drain_timeout of router.settings.shutdown take together, or 0." $wanted $least) -}}
{{- end -}}
{{- $wanted | default (add $least 15) -}}
{{- end -}}
