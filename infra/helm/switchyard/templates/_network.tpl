{{/* Parts of network policies. */}}

{{/* Head of a policy for the pods of a service: (dict "root" $ "component" "router"); without a component: for every pod. */}}
{{- define "switchyard.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "switchyard.metadata" (dict "root" .root "component" .component "name" (printf "%s-%s" (include "switchyard.fullname" .root) (.component | default "default-deny"))) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "switchyard.selectorLabels" . | nindent 6 }}
{{- end -}}

{{/* Rule to or from peers on ports: (dict "peers" (list …) "ports" (list …) "direction" "to"). Without peers: anywhere. */}}
{{- define "switchyard.rule" -}}
- ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- if $.udp }}
    - { protocol: UDP, port: {{ . }} }
    {{- end }}
    {{- end }}
  {{- with .peers }}
  {{ $.direction }}:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "switchyard.dnsRule" -}}
{{- $dns := .Values.networkPolicy.dns -}}
{{- $kubeSystem := dict "namespaceSelector" (dict "matchLabels" (dict "kubernetes.io/metadata.name" "kube-system")) -}}
{{- $nodeLocal := dict "ipBlock" (dict "cidr" "169.254.20.10/32") -}}
{{ include "switchyard.rule" (dict "direction" "to" "udp" true "ports" $dns.ports "peers" ($dns.to | default (list $kubeSystem $nodeLocal))) }}
{{- end -}}

{{- define "switchyard.natsRule" -}}
{{ include "switchyard.rule" (dict "direction" "to" "ports" .Values.networkPolicy.nats.ports "peers" .Values.networkPolicy.nats.to) }}
{{- end -}}

{{- define "switchyard.redisRule" -}}
{{ include "switchyard.rule" (dict "direction" "to" "ports" .Values.networkPolicy.redis.ports "peers" .Values.networkPolicy.redis.to) }}
{{- end -}}

{{/* Between config-distribution and the registry of this release: (dict "root" $ "direction" "to" "component" "registry"). */}}
{{- define "switchyard.rampsRule" -}}
{{- $ramps := .root.Values.configDistribution.ramps -}}
{{- if and .root.Values.configDistribution.enabled .root.Values.registry.enabled $ramps.enabled (not $ramps.registryUrl) -}}
{{- $labels := include "switchyard.selectorLabels" . | fromYaml -}}
{{ include "switchyard.rule" (dict "direction" .direction "ports" (list 4100) "peers" (list (dict "podSelector" (dict "matchLabels" $labels)))) }}
{{- end }}
{{- end -}}

{{- define "switchyard.metricsRule" -}}
{{- if .Values.metrics.enabled -}}
{{ include "switchyard.rule" (dict "direction" "from" "ports" (list 9464) "peers" (.Values.networkPolicy.metricsClients | default (list (dict "podSelector" dict)))) }}
{{- end }}
{{- end -}}

{{/*
Peers that subgraphs may be: what router.subgraphNetworks allows, written as policies have it, and what networkPolicy.subgraphs
names. "public" is everything but what is private, of this machine, link-local or reserved; loopback needs no rule.
*/}}
{{- define "switchyard.subgraphPeers" -}}
{{- $private4 := list "10.0.0.0/8" "172.16.0.0/12" "192.168.0.0/16" "100.64.0.0/10" -}}
{{- $reserved4 := list "0.0.0.0/8" "127.0.0.0/8" "169.254.0.0/16" "224.0.0.0/4" "240.0.0.0/4" -}}
{{- $reserved6 := list "fe80::/10" "ff00::/8" -}}
{{- range .Values.router.subgraphNetworks }}
{{- if eq . "public" }}
- ipBlock: { cidr: 0.0.0.0/0, except: {{ concat $private4 $reserved4 | toJson }} }
- ipBlock: { cidr: "::/0", except: {{ concat (list "fc00::/7") $reserved6 | toJson }} }
{{- else if eq . "private" }}
{{- range append $private4 "fc00::/7" }}
- ipBlock: { cidr: {{ . | quote }} }
{{- end }}
{{- else if contains "/" . }}
- ipBlock: { cidr: {{ . | quote }} }
{{- else if ne . "loopback" }}
- ipBlock: { cidr: {{ printf "%s/%s" . (ternary "128" "32" (contains ":" .)) | quote }} }
{{- end }}
{{- end }}
{{- with .Values.networkPolicy.subgraphs }}
{{ toYaml . }}
{{- end }}
{{- end -}}
